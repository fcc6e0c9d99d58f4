import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { REPOSITORY } from 'testkit/repository.ts'
import { freePorts } from 'testkit/sockets.ts'
import type { Scope } from '../kit/scope.ts'
import type { DatabaseName } from './databases.ts'
import type { Measurement } from './load.ts'
import { processorMsWithChildren } from './process-stats.ts'

export interface Program {
  readonly title: string
  readonly main: string
  readonly packages: string
}

export interface Server {
  readonly title: string
  readonly url: string
  readonly pid: number
  /**
   * Time and processor time from the start of the process to its first
   * response.
   */
  readonly start: Measurement
}

const HERE = fileURLToPath(REPOSITORY)

/**
 * Returns this service, a second copy of it, and the servers to compare: the
 * service of another checkout, or the peers for a database.
 */
export function selectPrograms(
  database: DatabaseName,
  against?: string,
): readonly [Program, ...Program[]] {
  const others =
    against === undefined
      ? PEERS[database]()
      : [service(against, resolve(against))]
  return [
    service('this service', HERE),
    service('this service again', HERE),
    ...others,
  ]
}

function service(title: string, checkout: string): Program {
  const main = join(checkout, 'apps/api/src/main.ts')
  if (!existsSync(main))
    throw new Error(
      `${checkout} is not a checkout of this repository: it has no apps/api/src/main.ts`,
    )
  return {
    title,
    main,
    packages: versions(main, 'hono', 'kysely', 'zod', 'better-sqlite3', 'pg'),
  }
}

function peer(title: string, file: string, ...packages: string[]): Program {
  const main = fileURLToPath(new URL(`peers/${file}`, import.meta.url))
  return { title, main, packages: versions(main, ...packages) }
}

const PEERS: Readonly<Record<DatabaseName, () => Program[]>> = {
  sqlite: () => [
    peer("Kysely's own dialect", 'shipped-dialect.ts', 'kysely'),
    peer('Fastify', 'fastify-sqlite.ts', 'fastify', 'better-sqlite3'),
  ],
  postgres: () => [peer('Fastify', 'fastify-pg.ts', 'fastify', 'pg')],
}

/**
 * Returns the packages that a file imports, with their versions: `fastify
 * 5.12.8, pg 8.23.1`.
 */
function versions(main: string, ...names: string[]): string {
  const paths = createRequire(main).resolve.paths('x') ?? []
  const read = (name: string) => {
    const file = paths
      .map((path) => join(path, name, 'package.json'))
      .find(existsSync)
    return `${name} ${file && createRequire(file)(file).version}`
  }
  return names.map(read).join(', ')
}

export async function startServer(
  scope: Scope,
  { title, main }: Program,
  databaseUrl: string,
): Promise<Server> {
  const [port] = await freePorts(1)
  const started = performance.now()
  // Does not call startService, because peers do not log that they listen, and
  // all servers must be timed in the same way.
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PORT: `${port}`,
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  scope.own(child)
  const url = `http://127.0.0.1:${port}`
  while (!(await respond(url))) {
    if (child.exitCode !== null)
      throw new Error(
        `${title} exited with ${child.exitCode} before it responded`,
      )
  }
  const { pid = 0 } = child
  const perSecond = 1000 / (performance.now() - started)
  const processorUs = processorMsWithChildren(pid) * 1000
  return { title, url, pid, start: { perSecond, processorUs } }
}

/** Returns whether a server responds. Waits 5 ms if it does not. */
const respond = (url: string): Promise<boolean> =>
  fetch(`${url}/nowhere`).then(
    () => true,
    () => pause(5, false),
  )

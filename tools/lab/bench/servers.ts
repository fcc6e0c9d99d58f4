import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { REPOSITORY } from 'testkit/documents.ts'
import { freshPostgresDatabase, startPostgres } from 'testkit/postgres.ts'
import { freePorts } from 'testkit/sockets.ts'
import type { Scope } from '../kit/scope.ts'
import { type Seeded, seed } from '../kit/seed.ts'

export const DATABASES = ['sqlite', 'postgres'] as const
export type DatabaseName = (typeof DATABASES)[number]

export interface Template {
  readonly seeded: Seeded
  copy(): Promise<string>
  readonly pids: readonly number[]
}

export const createTemplate: Record<
  DatabaseName,
  (scope: Scope, users: number) => Promise<Template>
> = {
  async sqlite(scope, users) {
    const folder = scope.createFolder('api-bench-')
    const file = join(folder, 'seed.db')
    const seeded = await seed(`sqlite:${file}`, users)
    let copies = 0
    const copy = async () => {
      copies += 1
      const path = join(folder, `${copies}.db`)
      copyFileSync(file, path)
      return `sqlite:${path}`
    }
    return { seeded, copy, pids: [] }
  },
  async postgres(scope, users) {
    const server = await startPostgres({ isDurable: true })
    scope.defer(server.stop)
    const template = await freshPostgresDatabase(server.url)
    const seeded = await seed(template.url, users)
    const name = new URL(template.url).pathname.slice(1)
    const copy = async () => (await freshPostgresDatabase(server.url, name)).url
    return { seeded, copy, pids: [server.pid()] }
  },
}

export interface Measurement {
  readonly perSecond: number
  readonly processorUs: number
}

export interface Program {
  readonly title: string
  readonly main: string
}

export interface Server {
  readonly title: string
  readonly url: string
  readonly pid: number
  readonly start: Measurement
}

const HERE = fileURLToPath(REPOSITORY)

/**
 * Measures this service twice, because the difference of the two results shows
 * the measurement error.
 */
export function selectPrograms(
  database: DatabaseName,
  against = '',
): readonly Program[] {
  return [
    service('this service', HERE),
    service('this service again', HERE),
    ...(against ? [service(against, resolve(against))] : PEERS[database]),
  ]
}

function service(title: string, checkout: string): Program {
  const main = join(checkout, 'apps/api/src/main.ts')
  if (!existsSync(main))
    throw new Error(`not a checkout of this repository: no ${main}`)
  return { title, main }
}

const peer = (title: string, file: string): Program => ({
  title,
  main: fileURLToPath(new URL(`peers/${file}`, import.meta.url)),
})

const PEERS: Readonly<Record<DatabaseName, readonly Program[]>> = {
  sqlite: [
    peer("Kysely's own dialect", 'shipped-dialect.ts'),
    peer('Fastify', 'fastify-sqlite.ts'),
  ],
  postgres: [peer('Fastify', 'fastify-pg.ts')],
}

export const versions = (): string =>
  ['fastify', 'kysely', 'zod', 'better-sqlite3', 'pg']
    .map((name) => {
      const manifest = `../node_modules/${name}/package.json`
      const file = new URL(manifest, import.meta.url)
      return `${name} ${JSON.parse(readFileSync(file, 'utf8')).version}`
    })
    .join(', ')

export async function startServer(
  scope: Scope,
  { title, main }: Program,
  databaseUrl: string,
): Promise<Server> {
  const [port] = await freePorts(1)
  const started = performance.now()
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
  // Sends requests instead of waiting for a log line, because not all measured
  // servers log that they listen, and all starts must be timed in the same way.
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

const respond = (url: string): Promise<boolean> =>
  fetch(`${url}/nowhere`).then(
    () => true,
    () => pause(5, false),
  )

/** Includes the processor time of ended children. Works on Linux only. */
export function processorMsWithChildren(pid: number | undefined): number {
  const own = readTicks(pid)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
  try {
    const all = own + children.reduce((sum, child) => sum + readTicks(child), 0)
    return all * 10 // a tick is 10 ms
  } catch {
    // A child has ended before its time was read. Reads all times again,
    // because the parent's time now includes the child's.
    return processorMsWithChildren(pid)
  }
}

function readTicks(pid: number | string | undefined): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields
    .split(' ')
    .slice(11)
    .map(Number)
  return user + system + endedUser + endedSystem
}

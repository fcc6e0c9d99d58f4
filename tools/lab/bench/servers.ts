import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { REPOSITORY } from 'testkit/repository.ts'

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export const DATABASES = ['sqlite', 'postgres'] as const
export type DatabaseName = (typeof DATABASES)[number]

/** A server that the benchmark can start. */
interface Program {
  readonly title: string
  /** Returns the components of the server, with versions. */
  describe(): string
  readonly command: readonly [command: string, ...parameters: string[]]
  /** The Debian packages that the server needs. */
  readonly debianPackages?: readonly string[]
  readonly databases: readonly DatabaseName[]
}

const API = fileURLToPath(new URL('apps/api/', REPOSITORY))
const LAB = pathOf('../')

/**
 * Returns packages with their versions as installed in a folder: `fastify
 * 5.12.8, better-sqlite3 13.2.0`.
 */
function versions(folder: string, ...names: string[]): string {
  const paths =
    createRequire(join(folder, 'package.json')).resolve.paths('x') ?? []
  const read = (name: string) => {
    const file = paths
      .map((path) => join(path, name, 'package.json'))
      .find(existsSync)
    return `${name} ${file && createRequire(file)(file).version}`
  }
  return names.map(read).join(', ')
}

/**
 * Debian's Python, whatever is first in PATH, because Debian installs packages
 * for its own Python.
 */
const PYTHON = '/usr/bin/python3'

/** The Debian packages of the peer in Python. */
const PYTHON_PACKAGES = [
  'fastapi',
  'uvicorn',
  'uvloop',
  'httptools',
  'sqlalchemy',
  'psycopg2',
  'argon2',
]
export const DEBIAN_PACKAGES = PYTHON_PACKAGES.map((name) => `python3-${name}`)

/**
 * Returns the version of a Debian package, or undefined if it is not installed.
 */
function debianVersion(name: string): string | undefined {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: fields of dpkg-query
  const query = ['-W', '-f', '${db:Status-Status} ${Version}', name]
  const { stdout } = spawnSync('dpkg-query', query, { encoding: 'utf8' })
  return /^installed (.+)/.exec(stdout ?? '')?.[1]
}

/** The servers that are compared. */
export const SERVERS = {
  ours: {
    title: 'this service',
    describe: () =>
      versions(API, 'hono', 'kysely', 'zod', 'better-sqlite3', 'pg'),
    command: [process.execPath, `${API}src/main.ts`],
    databases: DATABASES,
  },
  shipped: {
    title: "Kysely's own dialect",
    describe: () =>
      versions(API, 'hono', 'kysely', 'zod', 'better-sqlite3', 'pg'),
    command: [process.execPath, pathOf('peers/shipped-dialects.ts')],
    databases: DATABASES,
  },
  'fastify-sqlite': {
    title: 'Fastify',
    describe: () => versions(LAB, 'fastify', 'better-sqlite3'),
    command: [process.execPath, pathOf('peers/fastify-sqlite.ts')],
    databases: ['sqlite'],
  },
  'fastify-pg': {
    title: 'Fastify, pg',
    describe: () => versions(LAB, 'fastify', 'pg'),
    command: [process.execPath, pathOf('peers/fastify-postgres.ts'), 'pg'],
    databases: ['postgres'],
  },
  'fastify-postgres': {
    title: 'Fastify, postgres.js',
    describe: () => versions(LAB, 'fastify', 'postgres'),
    command: [
      process.execPath,
      pathOf('peers/fastify-postgres.ts'),
      'postgres',
    ],
    databases: ['postgres'],
  },
  'express-drizzle': {
    title: 'Express',
    describe: () => versions(LAB, 'express', 'drizzle-orm', 'zod'),
    command: [process.execPath, pathOf('peers/express-drizzle.ts')],
    databases: DATABASES,
  },
  'fastapi-sqlalchemy': {
    title: 'FastAPI',
    describe: () =>
      ['python3', ...DEBIAN_PACKAGES]
        .map((name) => `${name} ${debianVersion(name)}`)
        .join(', '),
    command: [PYTHON, pathOf('peers/fastapi-sqlalchemy/main.py')],
    debianPackages: DEBIAN_PACKAGES,
    databases: DATABASES,
  },
} as const satisfies Record<string, Program>

export type ServerName = keyof typeof SERVERS

export const SERVER_NAMES = Object.keys(SERVERS) as ServerName[]

/**
 * Returns the servers for a database that this machine can run. Prints the
 * packages that the others need.
 */
export function selectServers(
  database: DatabaseName,
  names: readonly ServerName[] = SERVER_NAMES,
): ServerName[] {
  return names.filter((name) => {
    const { title, debianPackages = [], databases }: Program = SERVERS[name]
    if (!databases.includes(database)) return false
    const missing = debianPackages.filter(
      (each) => debianVersion(each) === undefined,
    )
    if (missing.length > 0)
      console.log(`without ${title}: apt-get install ${missing.join(' ')}`)
    return missing.length === 0
  })
}

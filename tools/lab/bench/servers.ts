import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { REPOSITORY } from 'testkit/repository.ts'

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** A server that the benchmark can start. */
interface Program {
  readonly title: string
  /** Returns the components of the server, with versions. */
  describe(): string
  /** Installs, builds or compiles the server, and returns the command that starts it. `folder` is temporary. */
  prepare(folder: string): readonly [command: string, ...parameters: string[]]
  /** Returns a message with the Debian packages to install, if this machine lacks some. */
  missing?(): string | undefined
  /** The databases on which the server runs. SQLite by default. */
  readonly databases?: readonly DatabaseName[]
  /** Whether the server is measured only when an option names it. */
  readonly isOptional?: boolean
}

/** `pgbouncer` is PostgreSQL behind PgBouncer in transaction mode. */
export const DATABASES = ['sqlite', 'postgres', 'pgbouncer'] as const
export type DatabaseName = (typeof DATABASES)[number]

/** Runs a program and returns its trimmed output. */
const run = (command: string, parameters: readonly string[], options: { cwd?: string; env?: object } = {}) =>
  execFileSync(command, parameters, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
    env: { ...process.env, ...options.env },
  }).trim()

const ROOT = fileURLToPath(REPOSITORY)
const API = join(ROOT, 'apps/api/')
const LAB = pathOf('../')

/** Returns packages with their versions as installed in a folder: `fastify 5.12.8, better-sqlite3 13.2.0`. */
function versions(folder: string, ...names: string[]): string {
  const paths = createRequire(join(folder, 'package.json')).resolve.paths('x') ?? []
  const read = (name: string) => {
    const file = paths.map((path) => join(path, name, 'package.json')).find(existsSync)
    return `${name} ${file && createRequire(file)(file).version}`
  }
  return names.map(read).join(', ')
}

const onNode = (title: string, script: string, ...packages: string[]) => ({
  title,
  describe: () => versions(LAB, ...packages),
  prepare: () => [process.execPath, pathOf(script)] as const,
})

const onPostgres = (title: string, driver: 'pg' | 'postgres'): Program => ({
  title,
  describe: () => versions(LAB, 'fastify', driver),
  prepare: () => [process.execPath, pathOf('peers/fastify-postgres.ts'), driver],
  databases: ['postgres', 'pgbouncer'],
})

/** Returns this service with an environment variable set. */
const withVariable = (variable: string): Program => ({
  title: `this service, ${variable}`,
  describe: describeService,
  prepare: () => ['env', variable, process.execPath, `${API}src/main.ts`],
  databases: ['postgres', 'pgbouncer'],
  isOptional: true,
})

const describeService = () => versions(API, 'hono', 'kysely', 'zod', 'better-sqlite3', 'pg')

/** Builds the bundle, so that `built` is never outdated. */
function build(): void {
  execFileSync(join(API, 'node_modules/.bin/tsup'), ['--silent'], { cwd: API, stdio: 'inherit' })
}

/** Debian's Python, whatever is first in PATH, because Debian installs packages for its own Python. */
const PYTHON = '/usr/bin/python3'
const PYTHON_PACKAGES = ['fastapi', 'uvicorn', 'uvloop', 'httptools', 'sqlalchemy', 'psycopg2', 'argon2'].map(
  (name) => `python3-${name}`,
)

/** Compiles Go without modules and network, in the workspace in which Debian installs the sources of its packages. */
const GO_ENV = { GOPATH: '/usr/share/gocode', GO111MODULE: 'off' }
const GO_PACKAGES = [
  'golang-go',
  'golang-github-mattn-go-sqlite3-dev',
  'golang-github-lib-pq-dev',
  'golang-golang-x-crypto-dev',
]

export const DEBIAN_PACKAGES = [...PYTHON_PACKAGES, ...GO_PACKAGES]

/** Returns the version of a Debian package, or undefined if it is not installed. */
function debianVersion(name: string): string | undefined {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: fields of dpkg-query
  const query = ['-W', '-f', '${db:Status-Status} ${Version}', name]
  const { stdout } = spawnSync('dpkg-query', query, { encoding: 'utf8' })
  return /^installed (.+)/.exec(stdout ?? '')?.[1]
}

const describeDebian = (names: readonly string[]) =>
  names.map((name) => `${name} ${debianVersion(name)}`).join(', ')

/** Returns a command that installs the missing Debian packages of a list, or undefined. */
function findMissing(names: readonly string[]): string | undefined {
  const missing = names.filter((name) => debianVersion(name) === undefined)
  return missing.length > 0 ? `apt-get install ${missing.join(' ')}` : undefined
}

/** The servers that are compared. `ours` runs from source, `built` is the bundle of the same service. */
export const SERVERS = {
  ours: {
    title: 'this service',
    describe: describeService,
    prepare: () => [process.execPath, `${API}src/main.ts`],
    databases: DATABASES,
  },
  built: {
    title: 'this service, built',
    describe: describeService,
    prepare() {
      build()
      return [process.execPath, `${API}dist/main.js`]
    },
    databases: DATABASES,
    isOptional: true,
  },
  'fastify-sqlite': onNode('Fastify', 'peers/fastify-sqlite.ts', 'fastify', 'better-sqlite3'),
  'fastify-tuned': onNode('Fastify, tuned', 'peers/fastify-tuned.ts', 'fastify', 'better-sqlite3'),
  'express-drizzle': {
    ...onNode('Express', 'peers/express-drizzle.ts', 'express', 'drizzle-orm', 'zod'),
    databases: DATABASES,
  },
  'nestjs-typeorm': {
    title: 'NestJS',
    describe: () => versions(LAB, '@nestjs/core', 'typeorm', 'class-validator'),
    prepare() {
      // Node cannot run the source, because decorators are not erasable syntax.
      run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', pathOf('peers/nestjs-typeorm')])
      return [process.execPath, pathOf('peers/nestjs-typeorm/dist/main.js')]
    },
    databases: DATABASES,
  },
  'fastapi-sqlalchemy': {
    title: 'FastAPI',
    describe: () => `${run(PYTHON, ['--version'])}, ${describeDebian(PYTHON_PACKAGES)}`,
    prepare: () => [PYTHON, pathOf('peers/fastapi-sqlalchemy/main.py')],
    missing: () => findMissing(PYTHON_PACKAGES),
    databases: DATABASES,
  },
  'go-net-http': {
    title: 'Go',
    describe: () => describeDebian([...GO_PACKAGES, 'libsqlite3-0']),
    prepare(folder) {
      run('go', ['build', '-o', folder, '.'], { cwd: pathOf('peers/go-net-http'), env: GO_ENV })
      return [join(folder, 'go-net-http')]
    },
    missing: () => findMissing(GO_PACKAGES),
    databases: DATABASES,
  },
  'pool-1': withVariable('DATABASE_POOL_SIZE=1'),
  'pool-50': withVariable('DATABASE_POOL_SIZE=50'),
  'fastify-pg': onPostgres('Fastify, pg', 'pg'),
  'fastify-postgres': onPostgres('Fastify, postgres.js', 'postgres'),
  'bare-hono': onNode('bare Hono', 'peers/bare-hono.ts', 'hono', '@hono/node-server'),
} as const satisfies Record<string, Program>

export type ServerName = keyof typeof SERVERS

export const DEFAULT_SERVERS = (Object.keys(SERVERS) as ServerName[]).filter(
  (name) => !(SERVERS[name] as Program).isOptional,
)

/** Returns the servers for a database that this machine can run. Prints the requirements of all others. */
export function selectServers(
  names: readonly ServerName[] = DEFAULT_SERVERS,
  database: DatabaseName = 'sqlite',
): ServerName[] {
  return names.filter((name) => {
    const { title, missing, databases = ['sqlite'] }: Program = SERVERS[name]
    if (!databases.includes(database)) return false
    const needed = missing?.()
    if (needed !== undefined) console.log(`without ${title}: ${needed}`)
    return needed === undefined
  })
}

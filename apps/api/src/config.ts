import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { DatabaseOptions } from './database/connect.ts'
import type { Address } from './listen.ts'
import type { ServerLimits } from './server.ts'

export type ProfileName = keyof typeof DEFAULT_DATABASE

export interface Config extends Address {
  readonly profile: ProfileName
  readonly database: DatabaseOptions
  /** Whether a start brings the schema up to date, or only makes sure that it is. */
  readonly migrating: boolean
  /** Processes that share the port. */
  readonly workers: number
  /** Passwords that are hashed at once, and that wait for it. */
  readonly hashing: { readonly running: number; readonly waiting: number }
  readonly limits: ServerLimits
  readonly logLevel: string
  /** Where the metrics are read; nowhere unless there is a port. */
  readonly metrics: Address | undefined
  /** Whether spans are sent; where and how, the packages of OpenTelemetry read from the environment themselves. */
  readonly tracing: boolean
  readonly corsOrigins: readonly string[] | undefined
}

type Env = Readonly<Record<string, string | undefined>>

/** What is wrong with the configuration, in one line that names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** A database that ends with its process. */
export const IN_MEMORY = 'sqlite::memory:'

/** Where each profile keeps its records unless told otherwise; Profile B can keep them nowhere else. */
const DEFAULT_DATABASE = { a: 'sqlite:data/users.db', b: IN_MEMORY }

const HOUR_MS = 3_600_000

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Reads the environment. A relative path in DATABASE_URL counts from `root`, wherever the service is started from. */
export function readConfig(env: Env, root: string): Config {
  const profile = oneOf('PROFILE', env.PROFILE || 'a', ['a', 'b'])
  const port = wholeNumber('PORT', env.PORT || '3000', 0, 65_535)
  const url = databaseUrl(env.DATABASE_URL || DEFAULT_DATABASE[profile], profile, root)
  const workers = wholeNumber('WORKERS', env.WORKERS || '1', 1, url === IN_MEMORY ? 1 : 128)
  return {
    port,
    host: env.HOST || '127.0.0.1',
    profile,
    database: {
      url,
      poolSize: wholeNumber('DATABASE_POOL_SIZE', env.DATABASE_POOL_SIZE || '10', 1, 1000),
      connectTimeoutMs: wholeNumber(
        'DATABASE_CONNECT_TIMEOUT_MS',
        env.DATABASE_CONNECT_TIMEOUT_MS || '5000',
        1,
        HOUR_MS,
      ),
      statementTimeoutMs: wholeNumber(
        'DATABASE_STATEMENT_TIMEOUT_MS',
        env.DATABASE_STATEMENT_TIMEOUT_MS || '10000',
        1,
        HOUR_MS,
      ),
    },
    migrating: oneOf('MIGRATE', env.MIGRATE || 'start', ['start', 'never']) === 'start',
    workers,
    hashing: {
      // The processes share the cores.
      running: wholeNumber('PASSWORD_HASHES', env.PASSWORD_HASHES || coresFor(workers), 1, 1000),
      waiting: wholeNumber('PASSWORD_QUEUE', env.PASSWORD_QUEUE || '100', 0, 100_000),
    },
    limits: readLimits(env),
    metrics: readMetrics(env, port),
    tracing: readTracing(env),
    logLevel: oneOf('LOG_LEVEL', env.LOG_LEVEL || 'info', LOG_LEVELS),
    corsOrigins: env.CORS_ORIGIN ? env.CORS_ORIGIN.split(',').map((part) => origin(part.trim())) : undefined,
  }
}

const coresFor = (workers: number) => String(Math.max(1, Math.floor(availableParallelism() / workers)))

const readLimits = (env: Env): ServerLimits => ({
  connections: wholeNumber('MAX_CONNECTIONS', env.MAX_CONNECTIONS || '1000', 1, 1_000_000),
  requests: wholeNumber('MAX_REQUESTS', env.MAX_REQUESTS || '1000', 1, 1_000_000),
  requestsPerConnection: wholeNumber(
    'MAX_REQUESTS_PER_CONNECTION',
    env.MAX_REQUESTS_PER_CONNECTION || '0',
    0,
    1_000_000,
  ),
  headerBytes: wholeNumber('MAX_HEADER_BYTES', env.MAX_HEADER_BYTES || '16384', 1024, 1_048_576),
  headers: wholeNumber('MAX_HEADERS', env.MAX_HEADERS || '100', 1, 10_000),
  headersMs: wholeNumber('HEADERS_TIMEOUT_MS', env.HEADERS_TIMEOUT_MS || '10000', 1, HOUR_MS),
  requestMs: wholeNumber('REQUEST_TIMEOUT_MS', env.REQUEST_TIMEOUT_MS || '30000', 1, HOUR_MS),
  answerMs: wholeNumber('ANSWER_TIMEOUT_MS', env.ANSWER_TIMEOUT_MS || '30000', 1, HOUR_MS),
  idleMs: wholeNumber('IDLE_TIMEOUT_MS', env.IDLE_TIMEOUT_MS || '65000', 1, HOUR_MS),
  drainMs: wholeNumber('DRAIN_MS', env.DRAIN_MS || '0', 0, HOUR_MS),
  stopMs: wholeNumber('STOP_TIMEOUT_MS', env.STOP_TIMEOUT_MS || '10000', 0, HOUR_MS),
})

function readMetrics({ METRICS_PORT: value, METRICS_HOST: host }: Env, taken: number): Config['metrics'] {
  if (!value) return undefined
  const port = wholeNumber('METRICS_PORT', value, 0, 65_535)
  if (port === taken && port !== 0)
    throw new ConfigError(`METRICS_PORT takes another port than PORT, not ${port}`)
  return { port, host: host || '127.0.0.1' }
}

function readTracing(env: Env): boolean {
  const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].map((name) => {
    const url = env[name]
    // The value is not shown: it may hold a password.
    if (url && !(/^https?:\/\//.test(url) && URL.canParse(url)))
      throw new ConfigError(`${name} takes http://host:port or https://host:port`)
    return url
  })
  const { OTEL_TRACES_EXPORTER: exporter, OTEL_SDK_DISABLED: disabled } = env
  const wanted = exporter ? exporter !== 'none' : endpoints.some(Boolean)
  return wanted && disabled?.toLowerCase() !== 'true'
}

function wholeNumber(name: string, value: string, min: number, max: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  const range = min === max ? `${min} here` : `a whole number from ${min} to ${max}`
  throw new ConfigError(`${name} takes ${range}, not ${shown(value)}`)
}

function oneOf<const T extends string>(name: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((choice) => choice === value)
  if (choice !== undefined) return choice
  throw new ConfigError(`${name} takes one of ${choices.join(', ')}, not ${shown(value)}`)
}

function databaseUrl(url: string, profile: ProfileName, root: string): string {
  if (profile === 'b' && url !== IN_MEMORY)
    throw new ConfigError(`DATABASE_URL takes ${IN_MEMORY} alone with PROFILE=b`)
  return readDatabaseUrl('DATABASE_URL', url, root)
}

/** The URL of a database, given by the variable or the argument `name`. */
export function readDatabaseUrl(name: string, url: string, root: string): string {
  if (url === IN_MEMORY) return url
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    return `sqlite:${resolve(root, url.slice('sqlite:'.length))}`
  }
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) return url
  // The value is not shown: it may hold a password.
  throw new ConfigError(
    `${name} takes sqlite:<file>, ${IN_MEMORY} or postgres://user:password@host:port/name`,
  )
}

function origin(value: string): string {
  if (value === '*' || (URL.canParse(value) && new URL(value).origin === value)) return value
  throw new ConfigError(
    `CORS_ORIGIN takes * or origins such as https://app.example.com, separated by commas, not ${shown(value)}`,
  )
}

const shown = (value: string) => JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)

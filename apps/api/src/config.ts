import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { DATABASE_URLS, parseDatabaseUrl } from './database/url.ts'
import { OperatorError } from './errors.ts'
import type { Profile } from './profile.ts'
import { PROFILES, type ProfileName } from './profiles.ts'

export type Config = ReturnType<typeof readConfig>

export const IN_MEMORY = 'sqlite::memory:'
export const isSecret = (name: string): boolean => name.startsWith('DATABASE_URL')

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const ORIGIN = /^(\*|[a-z][a-z0-9+.-]*:\/\/[^\s/*?#@A-Z]+)$/
const HOST = /^(\*|[a-z0-9._-]+|\[[0-9a-f:]+\])$/

// The message of each schema describes the expected value: it follows "expected" in errors.
function integer(min: number, max: number) {
  const expected = `a whole number from ${min} to ${max}`
  const number = z.number().min(min, expected).max(max, expected)
  return z
    .string()
    .regex(/^\d{1,9}$/, expected)
    .transform(Number)
    .pipe(number)
}
const ms = (unset: number, min = 1) => integer(min, 3_600_000).prefault(`${unset}`)
const oneOf = <const T extends readonly string[]>(values: T) => z.enum(values, `one of ${values.join(', ')}`)
function list(item: RegExp, expected: string) {
  const parts = z.string().transform((text) => text.split(',').map((part) => part.trim()))
  return parts.refine((all) => all.every((part) => item.test(part)), expected).optional()
}

/** Every environment variable, in the groups and the order of docs/operations/configuration.md, whose tables it makes. */
export const VARIABLE_GROUPS = {
  service: {
    PORT: integer(0, 65_535).prefault('3000').describe('Port to listen on; 0 picks a free one'),
    HOST: z.string().prefault('127.0.0.1').describe('Address to listen on; `0.0.0.0` for all'),
    ALLOWED_HOSTS: list(HOST, '* or names such as api.example.com, without ports').describe(
      'Names by which clients may call the service; by default those of this machine when `HOST` is one, else any',
    ),
    CORS_ORIGIN: list(ORIGIN, '* or origins such as https://app.example.com').describe(
      'Origins whose pages may call the service; `*` for all',
    ),
    PROFILE: oneOf(Object.keys(PROFILES) as [ProfileName])
      .prefault('a')
      .describe('`a`, the full service, or `b`, a small one in memory'),
    LOG_LEVEL: oneOf(LEVELS)
      .prefault('info')
      .describe(`Least important level to log: ${LEVELS.join(', ')}`),
    LOG_FORMAT: oneOf(['json', 'pretty'])
      .optional()
      .describe('`json`, or `pretty` for people; by default `pretty` on a terminal'),
  },
  database: {
    DATABASE_URL: z
      .string()
      .optional()
      .describe(`Database to use: ${DATABASE_URLS.replace(/[a-z]+:[^\s,]+/g, '`$&`')}`),
    DATABASE_URL_FILE: z
      .string()
      .optional()
      .describe('File that contains `DATABASE_URL`, such as a mounted secret'),
    MIGRATE: oneOf(['start', 'never'])
      .prefault('start')
      .describe('`start` applies pending migrations, `never` only checks'),
    DATABASE_POOL_SIZE: integer(3, 1000)
      .prefault('10')
      .describe('Maximum number of connections to PostgreSQL'),
    DATABASE_CONNECT_TIMEOUT_MS: ms(5000).describe('Maximum time to wait for a connection to PostgreSQL'),
    DATABASE_STATEMENT_TIMEOUT_MS: ms(10_000).describe('Maximum duration of a statement on PostgreSQL'),
  },
  limits: {
    PASSWORD_QUEUE: integer(0, 100_000)
      .prefault('100')
      .describe('Passwords that wait to be hashed; one more receives 503'),
    MAX_CONNECTIONS: integer(1, 1_000_000)
      .prefault('1000')
      .describe('Open connections; one more closes an idle one'),
    REQUEST_TIMEOUT_MS: ms(30_000).describe('Time to receive a request (10 s for its headers), then 408'),
    RESPONSE_TIMEOUT_MS: ms(30_000).describe('Time until a response starts, then 503, and to read each part'),
    IDLE_TIMEOUT_MS: ms(65_000).describe('Time to wait for the next request; longer than that of a proxy'),
    DRAIN_MS: ms(0, 0).describe(
      'Time between the signal to stop, when `/readyz` turns 503, and the end of listening',
    ),
    STOP_TIMEOUT_MS: ms(10_000, 0).describe('Time for running requests to complete after that'),
  },
  observability: {
    METRICS_PORT: integer(0, 65_535)
      .optional()
      .describe('Port of `/metrics` on `HOST`; without it there are no metrics'),
  },
}
const { service, database, limits, observability } = VARIABLE_GROUPS
export const VARIABLES = { ...service, ...database, ...limits, ...observability }

/** Returns the value of an unset variable, undefined when there is none. */
export const defaultOf = (schema: z.ZodType): string | undefined =>
  schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : undefined

type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads the environment. An empty variable counts as unset. A relative path in DATABASE_URL starts at `root`.
 *
 * @throws OperatorError for an invalid value, in one line that names the variable.
 */
export function readConfig(env: Env, root: string) {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value))
  const { data: read, error } = z.object(VARIABLES).safeParse(set)
  if (error) throw invalid(String(error.issues[0]?.path[0]), error.issues[0]?.message, set)
  const profile: Profile = PROFILES[read.PROFILE]
  const url = read.DATABASE_URL ?? readUrlFile(read.DATABASE_URL_FILE) ?? defaultUrl(read.PROFILE)
  if (read.DATABASE_URL && read.DATABASE_URL_FILE)
    throw invalid('DATABASE_URL_FILE', 'to be unset when DATABASE_URL is set')
  if (profile.isInMemory && url !== IN_MEMORY)
    throw invalid('DATABASE_URL', `${IN_MEMORY} with PROFILE=${read.PROFILE}`)
  if (read.METRICS_PORT && read.METRICS_PORT === read.PORT)
    throw invalid('METRICS_PORT', 'another port than PORT', set)
  const databaseUrl = parseDatabaseUrl(url, root)
  if (databaseUrl === undefined) throw invalid('DATABASE_URL', DATABASE_URLS)
  const isLoopback = /^(localhost|127\..*|::1)$/.test(read.HOST)
  const { ALLOWED_HOSTS = isLoopback ? ['localhost', '127.0.0.1', '[::1]'] : ['*'] } = read
  return {
    port: read.PORT,
    host: read.HOST,
    /** Names that the header Host may have, undefined for any. They prevent DNS rebinding by pages of other sites. */
    allowedHosts: ALLOWED_HOSTS.includes('*') ? undefined : ALLOWED_HOSTS,
    corsOrigins: read.CORS_ORIGIN,
    profileName: read.PROFILE,
    profile,
    logLevel: read.LOG_LEVEL,
    logFormat: read.LOG_FORMAT,
    database: {
      url: databaseUrl,
      poolSize: read.DATABASE_POOL_SIZE,
      connectTimeoutMs: read.DATABASE_CONNECT_TIMEOUT_MS,
      statementTimeoutMs: read.DATABASE_STATEMENT_TIMEOUT_MS,
    },
    /** Whether a start applies pending migrations, or only checks that there are none. */
    migrating: read.MIGRATE === 'start',
    passwordQueue: read.PASSWORD_QUEUE,
    limits: {
      connections: read.MAX_CONNECTIONS,
      requests: read.MAX_CONNECTIONS,
      headerBytes: 16_384,
      headers: 100,
      headersMs: Math.min(10_000, read.REQUEST_TIMEOUT_MS),
      requestMs: read.REQUEST_TIMEOUT_MS,
      responseMs: read.RESPONSE_TIMEOUT_MS,
      idleMs: read.IDLE_TIMEOUT_MS,
      drainMs: read.DRAIN_MS,
      stopMs: read.STOP_TIMEOUT_MS,
    },
    metricsPort: read.METRICS_PORT,
    tracing: isTraced(set),
  }
}

function readUrlFile(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  let url = ''
  try {
    url = readFileSync(file, 'utf8').trim()
  } catch {}
  if (url === '') throw invalid('DATABASE_URL_FILE', 'the path of a file that can be read and is not empty')
  return url
}

/** Returns the database of a profile. One without tables keeps its records in memory only. */
export const defaultUrl = (profile: ProfileName): string =>
  'isInMemory' in PROFILES[profile] ? IN_MEMORY : 'sqlite:data/users.db'

/** Returns the error of a variable. Quotes the value unless it may contain a password. */
function invalid(name: string, expected = '', env: Env = {}): OperatorError {
  const value = isSecret(name) ? undefined : env[name]
  const received = value === undefined ? '' : `, received ${JSON.stringify(value.slice(0, 60))}`
  return new OperatorError(`${name}: expected ${expected}${received}`)
}

/** Returns whether to send spans. The OpenTelemetry packages read their variables themselves. */
function isTraced(env: Env): boolean {
  const { OTEL_SDK_DISABLED: disabled, OTEL_TRACES_EXPORTER: exporter } = env
  if (disabled?.toLowerCase() === 'true' || exporter === 'none') return false
  return Boolean(exporter ?? env.OTEL_EXPORTER_OTLP_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
}

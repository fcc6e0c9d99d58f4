import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { DATABASE_URLS, parseDatabaseUrl } from './database/url.ts'
import { OperatorError } from './errors.ts'
import type { Profile } from './profile.ts'
import { PROFILES, type ProfileName } from './profiles.ts'

export type Config = ReturnType<typeof readConfig>

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export const IN_MEMORY = 'sqlite::memory:'
export const isSecret = (name: string): boolean => name.startsWith('DATABASE_URL')
/** Node's number of threads, which hash passwords and read files. */
const THREADS = 4

// The message of each schema says what the variable takes: it follows "expected" in errors.
function integer(min: number, max: number) {
  const expected = `a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, expected)
    .transform(Number)
    .pipe(z.number().min(min, expected).max(max, expected))
}
const ms = (min = 1) => integer(min, 3_600_000)
const oneOf = <const T extends readonly string[]>(values: T) => z.enum(values, `one of ${values.join(', ')}`)
const list = (item: RegExp, expected: string) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((parts) => parts.every((part) => item.test(part)), expected)
const ORIGINS = list(
  /^(\*|[a-z][a-z0-9+.-]*:\/\/[^\s/*?#@A-Z]+)$/,
  '* or origins such as https://app.example.com',
)
const HOSTS = list(/^(\*|[a-z0-9._-]+|\[[0-9a-f:]+\])$/, '* or names such as api.example.com, without ports')
const contentOf = (file: string) => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}
const fileContent = z
  .string()
  .transform(contentOf)
  .pipe(z.string().min(1, 'the path of a file that can be read and is not empty'))

/** Every environment variable, in the groups and the order of docs/operations/configuration.md, whose tables it makes. */
export const VARIABLE_GROUPS = {
  service: {
    PORT: integer(0, 65_535).prefault('3000').describe('Port to listen on; 0 picks a free one'),
    HOST: z.string().prefault('127.0.0.1').describe('Address to listen on; `0.0.0.0` for all'),
    ALLOWED_HOSTS: HOSTS.optional().describe(
      'Names by which clients may call the service; by default those of this machine when `HOST` is one, else any',
    ),
    CORS_ORIGIN: ORIGINS.optional().describe('Origins whose pages may call the service; `*` for all'),
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
    DATABASE_URL_FILE: fileContent
      .optional()
      .describe('File that contains `DATABASE_URL`, such as a mounted secret'),
    MIGRATE: oneOf(['start', 'never'])
      .prefault('start')
      .describe('`start` applies pending migrations, `never` only checks'),
    DATABASE_POOL_SIZE: integer(1, 1000)
      .prefault('10')
      .describe('Maximum number of connections to PostgreSQL'),
    DATABASE_CONNECT_TIMEOUT_MS: ms()
      .prefault('5000')
      .describe('Maximum time to wait for a connection to PostgreSQL'),
    DATABASE_STATEMENT_TIMEOUT_MS: ms()
      .prefault('10000')
      .describe('Maximum duration of a statement on PostgreSQL'),
  },
  limits: {
    PASSWORD_HASHES: integer(1, 1000)
      .optional()
      .describe('Passwords hashed at the same time; by default one more than cores, up to 4'),
    PASSWORD_QUEUE: integer(0, 100_000)
      .prefault('100')
      .describe('Passwords that wait to be hashed; one more receives 503'),
    MAX_CONNECTIONS: integer(1, 1_000_000)
      .prefault('1000')
      .describe('Open connections; one more closes an idle one'),
    REQUEST_TIMEOUT_MS: ms()
      .prefault('30000')
      .describe('Time to receive a request (10 s for its headers), then 408'),
    RESPONSE_TIMEOUT_MS: ms()
      .prefault('30000')
      .describe('Time until a response starts, then 503, and to read each part'),
    IDLE_TIMEOUT_MS: ms()
      .prefault('65000')
      .describe('Time to wait for the next request; longer than that of a proxy'),
    DRAIN_MS: ms(0)
      .prefault('0')
      .describe('Time between the signal to stop, when `/readyz` turns 503, and the end of listening'),
    STOP_TIMEOUT_MS: ms(0).prefault('10000').describe('Time for running requests to complete after that'),
  },
  observability: {
    METRICS_PORT: integer(0, 65_535)
      .optional()
      .describe('Port of `/metrics`; without it there are no metrics'),
    METRICS_HOST: z.string().prefault('127.0.0.1').describe('Address of `/metrics`'),
    OTEL_TRACES_EXPORTER: oneOf(['otlp', 'none'])
      .optional()
      .describe('`otlp` sends spans, also without a URL; `none` sends none'),
  },
}

/** Returns the value of an unset variable, undefined when there is none. */
export const defaultOf = (schema: z.ZodType): string | undefined =>
  schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : undefined

export const VARIABLES = {
  ...VARIABLE_GROUPS.service,
  ...VARIABLE_GROUPS.database,
  ...VARIABLE_GROUPS.limits,
  ...VARIABLE_GROUPS.observability,
}

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
  if (read.DATABASE_URL && read.DATABASE_URL_FILE)
    throw invalid('DATABASE_URL_FILE', 'to be unset when DATABASE_URL is set')
  const url = read.DATABASE_URL ?? read.DATABASE_URL_FILE ?? defaultUrl(read.PROFILE)
  if (profile.isInMemory && url !== IN_MEMORY)
    throw invalid('DATABASE_URL', `${IN_MEMORY} with PROFILE=${read.PROFILE}`)
  if (read.METRICS_PORT && read.METRICS_PORT === read.PORT)
    throw invalid('METRICS_PORT', 'another port than PORT', set)
  const databaseUrl = parseDatabaseUrl(url, root)
  if (databaseUrl === undefined) throw invalid('DATABASE_URL', DATABASE_URLS)
  const isLoopback = /^(localhost|127\..*|::1)$/.test(read.HOST)
  return {
    port: read.PORT,
    host: read.HOST,
    /** Names that the header Host may have, undefined for any. Otherwise pages of other sites could use a name of their own. */
    allowedHosts: read.ALLOWED_HOSTS?.includes('*')
      ? undefined
      : (read.ALLOWED_HOSTS ?? (isLoopback ? LOOPBACK : undefined)),
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
    passwords: {
      // With one hash more than cores, no core is idle between two hashes, which gives 15 % more hashes per second.
      concurrency: read.PASSWORD_HASHES ?? Math.min(THREADS, availableParallelism() + 1),
      queueLimit: read.PASSWORD_QUEUE,
    },
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
    metrics:
      read.METRICS_PORT === undefined ? undefined : { port: read.METRICS_PORT, host: read.METRICS_HOST },
    tracing: isTraced(env),
  }
}

/** The names of this machine. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

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
const isTraced = (env: Env): boolean =>
  env.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
  env.OTEL_TRACES_EXPORTER !== 'none' &&
  Boolean(
    env.OTEL_TRACES_EXPORTER || env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
  )

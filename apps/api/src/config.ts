import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { PROFILES, type ProfileName } from './app.ts'
import { DATABASE_URLS, parseDatabaseUrl } from './database/url.ts'
import { OperatorError } from './errors.ts'
import type { Profile } from './profile.ts'

export type Config = ReturnType<typeof readConfig>

const IN_MEMORY = 'sqlite::memory:'

// The message of a schema describes the expected value: it follows "expected"
// in errors.
function whole(min: number, max: number) {
  const expected = `a whole number from ${min} to ${max}`
  const digits = z.string().regex(/^\d+$/, expected)
  return digits
    .transform(Number)
    .pipe(z.number().min(min, expected).max(max, expected))
}
const integer = (
  description: string,
  unset: number,
  min: number,
  max: number,
) => whole(min, max).prefault(`${unset}`).describe(description)
const ms = (description: string, unset: number, min = 1) =>
  integer(description, unset, min, 3_600_000)
const string = (description: string) =>
  z.string().optional().describe(description)
const oneOf = <const T extends string>(...values: T[]) =>
  z.enum(values, `one of ${values.join(', ')}`)
const list = (
  description: string,
  item: Pick<RegExp, 'test'>,
  expected: string,
) =>
  z
    .string()
    .optional()
    .transform((value) => value?.split(',').map((part) => part.trim()))
    .refine((parts) => !parts?.some((part) => !item.test(part)), expected)
    .describe(description)

const HOST = {
  test: (text: string) =>
    /^(\*|[a-z0-9._-]+|\[[0-9a-f:]+\])$/.test(text) &&
    URL.canParse(`http://${text}`),
}
const ORIGIN = {
  test: (text: string) =>
    text === '*' ||
    (/^[a-z][a-z0-9+.-]*:\/\/[^\s/*?#@A-Z]+$/.test(text) && URL.canParse(text)),
}
const LEVEL = oneOf(
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
  'silent',
).prefault('info')
const URLS = DATABASE_URLS.replace(/[a-z]+:[^\s,]+/g, '`$&`')

/**
 * Every environment variable, in the groups and the order of
 * docs/operations/configuration.md, whose tables it makes.
 */
export const VARIABLE_GROUPS = {
  service: {
    PORT: integer('Port to listen on; 0 picks a free one', 3000, 0, 65_535),
    HOST: z
      .string()
      .prefault('127.0.0.1')
      .describe('Address to listen on; `0.0.0.0` for all'),
    ALLOWED_HOSTS: list(
      'Names by which clients may call the service; by default those of this machine if `HOST` is a loopback address, else any',
      HOST,
      '* or names such as api.example.com, without ports',
    ),
    CORS_ORIGIN: list(
      'Origins whose pages may call; `*` for all',
      ORIGIN,
      '* or https://app.example.com',
    ),
    PROFILE: oneOf('a', 'b')
      .prefault('a')
      .describe('`a`, the full service, or `b`, a small one in memory'),
    LOG_LEVEL: LEVEL.describe(
      'Least important level: fatal, error, warn, info, debug, trace, silent',
    ),
    LOG_FORMAT: oneOf('json', 'pretty')
      .optional()
      .describe('`pretty` for people, as on a terminal, or `json`'),
  },
  database: {
    DATABASE_URL: string(`Database to use: ${URLS}`),
    DATABASE_URL_FILE: string(
      'File that contains `DATABASE_URL`, such as a mounted secret',
    ),
    MIGRATE: oneOf('start', 'never')
      .prefault('start')
      .describe('`start` applies migrations, `never` checks'),
    DATABASE_POOL_SIZE: integer(
      'Maximum number of connections to PostgreSQL',
      10,
      1,
      1000,
    ),
    DATABASE_STATEMENT_TIMEOUT_MS: ms(
      'Maximum duration of a statement on PostgreSQL',
      10_000,
    ),
  },
  limits: {
    MAX_CONNECTIONS: integer(
      'Open connections; one more closes an idle one',
      1000,
      1,
      1_000_000,
    ),
    REQUEST_TIMEOUT_MS: ms(
      'Time to receive a request (10 s for its headers), then 408',
      30_000,
    ),
    RESPONSE_TIMEOUT_MS: ms(
      'Time until a response starts, then 503, and to read each part',
      30_000,
    ),
    IDLE_TIMEOUT_MS: ms(
      'Time to wait for the next request; longer than a proxy waits',
      65_000,
    ),
    DRAIN_MS: ms(
      'Time between the signal to stop, when `/readyz` turns 503, and the end of listening',
      0,
      0,
    ),
    STOP_TIMEOUT_MS: ms(
      'Time for running requests to complete after that',
      10_000,
      0,
    ),
  },
  observability: {
    METRICS_PORT: whole(0, 65_535)
      .optional()
      .describe('Port of `/metrics` on `HOST`; unset: no metrics'),
  },
}
const { service, database, limits, observability } = VARIABLE_GROUPS
export const VARIABLES = {
  ...service,
  ...database,
  ...limits,
  ...observability,
}

/** Returns the value of an unset variable, undefined when there is none. */
export const defaultOf = (schema: z.ZodType): string | undefined =>
  schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : undefined

/**
 * Returns the database of a profile. One without tables keeps its records in
 * memory only.
 */
const defaultUrl = (profile: ProfileName): string =>
  'isInMemory' in PROFILES[profile] ? IN_MEMORY : 'sqlite:data/users.db'

/**
 * Reads the environment. An empty variable counts as unset. A relative path in
 * DATABASE_URL starts at `root`.
 *
 * @throws OperatorError for an invalid value, in one line that names the
 * variable.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  root: string,
) {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value),
  )
  const { data, error } = z.object(VARIABLES).safeParse(set)
  if (error)
    throw invalid(
      String(error.issues[0]?.path[0]),
      error.issues[0]?.message,
      set,
    )
  const {
    PORT: port,
    HOST: host,
    PROFILE: profileName,
    METRICS_PORT: metricsPort,
  } = data
  if (metricsPort && metricsPort === port)
    throw invalid('METRICS_PORT', 'another port than PORT', set)
  const profile: Profile = PROFILES[profileName]
  const { DATABASE_URL, DATABASE_URL_FILE } = data
  if (DATABASE_URL && DATABASE_URL_FILE)
    throw invalid('DATABASE_URL_FILE', 'to be unset when DATABASE_URL is set')
  function readUrl(): string {
    const text = DATABASE_URL_FILE
      ? readFile(DATABASE_URL_FILE)
      : (DATABASE_URL ?? defaultUrl(profileName))
    if (profile.isInMemory && text !== IN_MEMORY)
      throw invalid('DATABASE_URL', `${IN_MEMORY} with PROFILE=${profileName}`)
    const url = parseDatabaseUrl(text, root)
    if (url === undefined) throw invalid('DATABASE_URL', DATABASE_URLS)
    return url
  }
  const traces =
    set.OTEL_TRACES_EXPORTER ??
    set.OTEL_EXPORTER_OTLP_ENDPOINT ??
    set.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
  return {
    port,
    host,
    /** As URLs write them: `[0:0:0:0:0:0:0:1]` is `[::1]`. */
    allowedHosts: data.ALLOWED_HOSTS?.map(
      (name) => URL.parse(`http://${name}`)?.hostname ?? name,
    ),
    /** As browsers send them: `https://a.example:443` is `https://a.example`. */
    corsOrigins: data.CORS_ORIGIN?.map(toOrigin),
    profileName,
    profile,
    logLevel: data.LOG_LEVEL,
    database: {
      url: readUrl(),
      readUrl,
      poolSize: data.DATABASE_POOL_SIZE,
      statementTimeoutMs: data.DATABASE_STATEMENT_TIMEOUT_MS,
    },
    /**
     * Whether a start applies pending migrations, or only checks that there are
     * none.
     */
    migrating: data.MIGRATE === 'start',
    limits: {
      connections: data.MAX_CONNECTIONS,
      requestMs: data.REQUEST_TIMEOUT_MS,
      responseMs: data.RESPONSE_TIMEOUT_MS,
      idleMs: data.IDLE_TIMEOUT_MS,
      drainMs: data.DRAIN_MS,
      stopMs: data.STOP_TIMEOUT_MS,
    },
    metricsPort,
    /**
     * Whether to send spans. The OpenTelemetry packages read their variables
     * themselves.
     */
    tracing:
      set.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
      traces !== undefined &&
      traces !== 'none',
  }
}

/** Leaves `*` and the origins of apps, such as `tauri://localhost`, unchanged. */
function toOrigin(text: string): string {
  return /^https?:/.test(text) ? new URL(text).origin : text
}

function readFile(file: string): string {
  try {
    const url = readFileSync(file, 'utf8').trim()
    if (url !== '') return url
  } catch {}
  throw invalid(
    'DATABASE_URL_FILE',
    'the path of a file that can be read and is not empty',
  )
}

/**
 * Returns the error of a variable. Quotes its value in `env`, which callers omit
 * when it may contain a password.
 */
function invalid(
  name: string,
  expected = '',
  env: Record<string, string | undefined> = {},
): OperatorError {
  const value = env[name]
  const received =
    value === undefined
      ? ''
      : `, received ${JSON.stringify(value.slice(0, 60))}`
  return new OperatorError(`${name}: expected ${expected}${received}`)
}

import { z } from 'zod'
import { DATABASE_URLS } from './database/url.ts'

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
  parse: (item: string) => string | null | undefined,
  expected: string,
) =>
  z
    .string()
    .optional()
    .transform((value, { issues }) => {
      const items = value?.split(',').map((item) => parse(item.trim()) ?? '')
      if (items?.includes(''))
        issues.push({ code: 'custom', input: value, message: expected })
      return items
    })
    .describe(description)

const toHost = (text: string) =>
  /^(\*|[a-z0-9._-]+|\[[0-9a-f:]+\])$/.test(text)
    ? URL.parse(`http://${text}`)?.hostname
    : undefined

/**
 * Keeps a native app's origin (`tauri://localhost`), whose `URL.origin` is
 * "null".
 */
function toOrigin(text: string) {
  if (text === '*') return text
  const isOrigin = /^[a-z][a-z0-9+.-]*:\/\/[^\s/*?#@A-Z]+$/.test(text)
  const url = isOrigin ? URL.parse(text) : null
  return url && /^https?:/.test(text) ? url.origin : url && text
}

export const IN_MEMORY = 'sqlite::memory:'

export const DEFAULT_URLS = { a: 'sqlite:data/users.db', b: IN_MEMORY } as const

export type ProfileName = keyof typeof DEFAULT_URLS

const PROFILE_NAMES = Object.keys(DEFAULT_URLS) as ProfileName[]

const LEVELS = [
  'fatal',
  'error',
  'warn',
  'info',
  'debug',
  'trace',
  'silent',
] as const
const URLS = DATABASE_URLS.replace(/[a-z]+:[^\s,]+/g, '`$&`')

export const VARIABLE_GROUPS = {
  service: {
    PORT: integer('Port to listen on; 0 picks a free one', 3000, 0, 65_535),
    HOST: z
      .string()
      .regex(/^[\w.:%-]+$/, 'an address or a name')
      .prefault('127.0.0.1')
      .describe('Address to listen on; `0.0.0.0` for all'),
    ALLOWED_HOSTS: list(
      'Names by which clients may call the service, also through a proxy; by default those of this machine if `HOST` is a loopback address, else any',
      toHost,
      '* or names such as api.example.com, without ports',
    ),
    CORS_ORIGIN: list(
      'Origins whose pages may call; `*` for all',
      toOrigin,
      '* or https://app.example.com',
    ),
    CORS_CREDENTIALS: oneOf('true', 'false')
      .prefault('false')
      .describe('`true` lets these pages send cookies and HTTP credentials'),
    PROFILE: oneOf(...PROFILE_NAMES)
      .prefault('a')
      .describe('`a`, the full service, or `b`, a small one in memory'),
    LOG_LEVEL: oneOf(...LEVELS)
      .prefault('info')
      .describe(`Least important level: ${LEVELS.join(', ')}`),
    LOG_FORMAT: oneOf('json', 'pretty')
      .optional()
      .describe('`pretty` for people, as on a terminal, or `json`'),
  },
  database: {
    DATABASE_URL: string(
      `Database to use: ${URLS}; by default \`${DEFAULT_URLS.a}\``,
    ),
    DATABASE_URL_FILE: string(
      'File that contains `DATABASE_URL`, such as a mounted secret',
    ),
    MIGRATE: oneOf('start', 'never')
      .prefault('start')
      .describe('`start` applies migrations, `never` checks'),
    DATABASE_POOL_SIZE: integer(
      'Maximum number of connections to PostgreSQL, without one for health checks',
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
    REQUEST_TIMEOUT_MS: ms('Time to receive a request, then 408', 30_000),
    RESPONSE_TIMEOUT_MS: ms(
      'Time until a response starts, then 503, and to read each part',
      30_000,
    ),
    IDLE_TIMEOUT_MS: ms(
      'Time to wait for the next request; longer than a proxy waits',
      65_000,
    ),
    DRAIN_MS: ms(
      'Time between the signal to stop, when `/readyz` turns 503, and the end of listening; longer than a load balancer needs to notice',
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

export const defaultOf = (schema: z.ZodType): string | undefined =>
  schema instanceof z.ZodPrefault ? String(schema.def.defaultValue) : undefined

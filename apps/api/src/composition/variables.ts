import type { DatabaseOptions, Engine } from '../database/engine.ts'
import { postgres } from '../database/postgres/engine.ts'
import { sqlite } from '../database/sqlite/engine.ts'
import { OperatorError } from '../errors.ts'
import type { Profile } from '../profile.ts'
import { profileA } from '../profile-a/index.ts'
import { profileB } from '../profile-b/index.ts'
import {
  httpUrl,
  milliseconds,
  oneOf,
  origins,
  secretFile,
  text,
  type Variable,
  wholeNumber,
} from './variable.ts'

export const PROFILES = { a: profileA, b: profileB } as const satisfies Record<string, Profile>
export const ENGINES: readonly Engine[] = [sqlite, postgres]

export type ProfileName = keyof typeof PROFILES

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
export const IN_MEMORY = 'sqlite::memory:'
/** The default DATABASE_URL of a profile. A profile without `tables` keeps its records in memory only. */
export const databaseOf = (profile: Profile) =>
  profile.tables === undefined ? IN_MEMORY : 'sqlite:data/users.db'

/** Every environment variable, in the groups and the order of the documentation. */
export const VARIABLE_GROUPS = {
  service: {
    PORT: wholeNumber({ min: 0, max: 65_535, default: '3000' }, 'Port to listen on; 0 picks a free one'),
    HOST: text('127.0.0.1', 'Address to listen on; `0.0.0.0` for all'),
    PROFILE: oneOf(
      Object.keys(PROFILES) as ProfileName[],
      'a',
      '`a`, the full service, or `b`, a small one in memory',
    ),
    DATABASE_URL: {
      default: databaseOf(PROFILES.a),
      description:
        'Database to use. A relative path starts at the root of the repository, or at the folder of `main.js` when built',
      expected: ENGINES.map(({ urlForms }) => urlForms).join(' or '),
      isSecret: true,
      parse: (url) => url,
    } satisfies Variable<string>,
    DATABASE_URL_FILE: secretFile('File that contains `DATABASE_URL`, such as a mounted secret'),
    LOG_LEVEL: oneOf(
      LOG_LEVELS,
      'info',
      `Least important level to log: ${LOG_LEVELS.map((l) => `\`${l}\``).join(', ')}`,
    ),
    CORS_ORIGIN: origins('Origins, separated by commas, whose pages may call the service; `*` for all'),
    MIGRATE: oneOf(
      ['start', 'never'],
      'start',
      '`start` applies pending migrations at each start, `never` only checks',
    ),
  },
  database: {
    DATABASE_POOL_SIZE: wholeNumber(
      { min: 1, max: 1000, default: '10' },
      'Maximum number of connections to PostgreSQL',
    ),
    DATABASE_CONNECT_TIMEOUT_MS: milliseconds('5000', 'Maximum time to wait for a connection'),
    DATABASE_STATEMENT_TIMEOUT_MS: milliseconds(
      '10000',
      'Maximum duration of one statement, and of an idle transaction',
    ),
  },
  limits: {
    PASSWORD_HASHES: wholeNumber(
      { min: 1, max: 1000 },
      'Number of passwords hashed at the same time; by default one more than the number of cores. At most `UV_THREADPOOL_SIZE`',
    ),
    UV_THREADPOOL_SIZE: wholeNumber(
      { min: 1, max: 1024, default: '4' },
      'Number of threads that hash passwords and read files; Node reads it, too',
    ),
    PASSWORD_QUEUE: wholeNumber(
      { min: 0, max: 100_000, default: '100' },
      'Number of registrations that wait until their password is hashed (100 take about 0.5 s on 2 cores); one more receives 503',
    ),
    MAX_CONNECTIONS: wholeNumber(
      { min: 1, max: 1_000_000, default: '1000' },
      'Maximum number of open connections; one more closes the one that has been idle for the longest time',
    ),
    MAX_REQUESTS: wholeNumber(
      { min: 1, max: 1_000_000, default: '1000' },
      'Maximum number of concurrent requests; one more receives 503. Pipelined requests of a connection are processed one after another',
    ),
    MAX_REQUESTS_PER_CONNECTION: wholeNumber(
      { min: 0, max: 1_000_000, default: '0' },
      'Requests after which a connection is closed, 0 for any number',
    ),
    MAX_HEADER_BYTES: wholeNumber(
      { min: 1024, max: 1_048_576, default: '16384' },
      'Maximum size of request line and headers in bytes; more receive 431',
    ),
    MAX_HEADERS: wholeNumber(
      { min: 1, max: 10_000, default: '100' },
      'Maximum number of headers of a request; more receive 431',
    ),
    HEADERS_TIMEOUT_MS: milliseconds(
      '10000',
      'Maximum time to receive the headers; a slower client receives 408',
    ),
    REQUEST_TIMEOUT_MS: milliseconds(
      '30000',
      'Maximum time to receive a request; a slower client receives 408',
    ),
    RESPONSE_TIMEOUT_MS: milliseconds(
      '30000',
      'Maximum time until a response starts (then 503), and for the client to read each part of it (then the connection is closed); up to a second longer',
    ),
    IDLE_TIMEOUT_MS: milliseconds(
      '65000',
      'Maximum time to wait for the next request on a connection; must be longer than a load balancer keeps one',
    ),
    DRAIN_MS: milliseconds(
      '0',
      'Time between the signal to stop and the end of listening; `/readyz` returns 503 meanwhile',
      0,
    ),
    STOP_TIMEOUT_MS: milliseconds(
      '10000',
      'Maximum time for running requests to complete after the end of listening',
      0,
    ),
  },
  observability: {
    METRICS_PORT: wholeNumber({ min: 0, max: 65_535 }, 'Port of `/metrics`; without it there are no metrics'),
    METRICS_HOST: text('127.0.0.1', 'Address of `/metrics`'),
    OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl(
      'URL of a collector such as `http://localhost:4318`; spans are sent there',
    ),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl('URL of a collector for spans only, with its path'),
    OTEL_TRACES_EXPORTER: oneOf(
      ['otlp', 'console', 'none'],
      undefined,
      '`otlp`, `console` or `none`; enables tracing without a URL, or disables it',
    ),
    OTEL_SDK_DISABLED: {
      ...oneOf(['true', 'false'], undefined, '`true` disables tracing'),
      parse: (text) => ['true', 'false'].find((value) => value === text.toLowerCase()),
    } satisfies Variable<string>,
  },
} as const satisfies Record<string, Record<string, Variable<unknown>>>

export const VARIABLES = {
  ...VARIABLE_GROUPS.service,
  ...VARIABLE_GROUPS.database,
  ...VARIABLE_GROUPS.limits,
  ...VARIABLE_GROUPS.observability,
}

/**
 * Returns the engine of a URL, and the trimmed URL with an absolute path.
 *
 * @throws OperatorError that names the setting, when no engine opens the URL.
 */
export function parseDatabaseUrl(
  setting: string,
  url: string,
  root: string,
): Pick<DatabaseOptions, 'engine' | 'url'> {
  for (const engine of ENGINES) {
    const parsed = engine.parseUrl(url.trim(), root)
    if (parsed !== undefined) return { engine, url: parsed }
  }
  throw new OperatorError(`${setting}: expected ${VARIABLES.DATABASE_URL.expected}`)
}

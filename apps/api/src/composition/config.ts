import { availableParallelism } from 'node:os'
import { OperatorError } from '../errors.ts'
import type { Profile } from '../profile.ts'
import { parseVariable, type Variable } from './variable.ts'
import { databaseOf, IN_MEMORY, PROFILES, parseDatabaseUrl, VARIABLES } from './variables.ts'

export type Config = ReturnType<typeof readConfig>

type Env = Readonly<Record<string, string | undefined>>

type Name = keyof typeof VARIABLES
type Value<N extends Name> = NonNullable<ReturnType<(typeof VARIABLES)[N]['parse']>>

/**
 * Reads the environment. A relative path in DATABASE_URL starts at `root`.
 *
 * @throws OperatorError for an invalid value, in one line that names the variable.
 */
export function readConfig(env: Env, root: string) {
  const optional = <N extends Name>(name: N): Value<N> | undefined => {
    const variable: Variable<unknown> = VARIABLES[name]
    const text = env[name] || variable.default
    // TypeScript does not infer from an indexed access that the variable `name` parses to `Value<name>`.
    return text === undefined ? undefined : (parseVariable(name, variable, text) as Value<N>)
  }
  /** Reads a variable that has a default. Its value is therefore never undefined. */
  const read = <N extends Name>(name: N) => optional(name) as Value<N>

  const profileName = read('PROFILE')
  const profile: Profile = PROFILES[profileName]
  if (env.DATABASE_URL && env.DATABASE_URL_FILE)
    throw new OperatorError('DATABASE_URL_FILE: expected to be unset when DATABASE_URL is set')
  const url = env.DATABASE_URL || optional('DATABASE_URL_FILE') || databaseOf(profile)
  if (profile.tables === undefined && url !== IN_MEMORY)
    throw new OperatorError(`DATABASE_URL: expected ${IN_MEMORY} with PROFILE=${profileName}`)
  const database = parseDatabaseUrl('DATABASE_URL', url, root)
  const port = read('PORT')
  const metricsPort = optional('METRICS_PORT')
  const metricsHost = read('METRICS_HOST')
  if (metricsPort === port && port !== 0)
    throw new OperatorError(`METRICS_PORT: expected another port than PORT, received ${port}`)
  const endpoints = [optional('OTEL_EXPORTER_OTLP_ENDPOINT'), optional('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')]
  const exporter = optional('OTEL_TRACES_EXPORTER')
  const isTracing = exporter ? exporter !== 'none' : endpoints.some(Boolean)
  const isSdkDisabled = optional('OTEL_SDK_DISABLED') === 'true'

  const threads = read('UV_THREADPOOL_SIZE')
  const hashes = optional('PASSWORD_HASHES')
  if (hashes !== undefined && hashes > threads)
    throw new OperatorError(
      `PASSWORD_HASHES: expected at most ${threads}, the number of threads (UV_THREADPOOL_SIZE), received ${hashes}`,
    )

  return {
    port,
    host: read('HOST'),
    profileName,
    profile,
    database: {
      ...database,
      poolSize: read('DATABASE_POOL_SIZE'),
      connectTimeoutMs: read('DATABASE_CONNECT_TIMEOUT_MS'),
      statementTimeoutMs: read('DATABASE_STATEMENT_TIMEOUT_MS'),
    },
    /** Whether a start applies pending migrations, or only checks that there are none. */
    migrating: read('MIGRATE') === 'start',
    settings: {
      hashing: {
        // With one hash more than cores, no core is idle between two hashes: 15 % more hashes per second.
        concurrency: hashes ?? Math.min(threads, availableParallelism() + 1),
        queueLimit: read('PASSWORD_QUEUE'),
      },
    },
    limits: readLimits(read),
    /** The address at which metrics are served, or undefined. */
    metrics: metricsPort === undefined ? undefined : { port: metricsPort, host: metricsHost },
    /** Whether to send spans. The OpenTelemetry packages read all further OTEL_ variables themselves. */
    tracing: isTracing && !isSdkDisabled,
    logLevel: read('LOG_LEVEL'),
    corsOrigins: optional('CORS_ORIGIN'),
  }
}

/** Returns the limits of the server. Times are in milliseconds. */
const readLimits = (read: <N extends Name>(name: N) => Value<N>) => ({
  connections: read('MAX_CONNECTIONS'),
  requests: read('MAX_REQUESTS'),
  requestsPerConnection: read('MAX_REQUESTS_PER_CONNECTION'),
  headerBytes: read('MAX_HEADER_BYTES'),
  headers: read('MAX_HEADERS'),
  headersMs: read('HEADERS_TIMEOUT_MS'),
  requestMs: read('REQUEST_TIMEOUT_MS'),
  responseMs: read('RESPONSE_TIMEOUT_MS'),
  idleMs: read('IDLE_TIMEOUT_MS'),
  drainMs: read('DRAIN_MS'),
  stopMs: read('STOP_TIMEOUT_MS'),
})

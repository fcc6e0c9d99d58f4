import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { DATABASE_URLS, parseDatabaseUrl } from './database/url.ts'
import { OperatorError } from './errors.ts'
import { readTracing } from './tracing-variables.ts'
import { DEFAULT_URLS, IN_MEMORY, VARIABLES } from './variables.ts'

export type Config = ReturnType<typeof readConfig>

export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  root: string,
) {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value),
  )
  const { data, error } = z.object(VARIABLES).safeParse(set)
  const [issue] = error?.issues ?? []
  if (!data) throw invalid(String(issue?.path[0]), issue?.message, set)
  const { PORT: port, PROFILE: profileName, METRICS_PORT: metricsPort } = data
  if (metricsPort && metricsPort === port)
    throw invalid('METRICS_PORT', 'another port than PORT', set)
  const corsCredentials = data.CORS_CREDENTIALS === 'true'
  // Browsers reject credentials if a service allows the origin `*`.
  if (corsCredentials && data.CORS_ORIGIN?.includes('*') !== false)
    throw invalid('CORS_CREDENTIALS', 'CORS_ORIGIN with origins, without *')
  const defaultUrl = DEFAULT_URLS[profileName]
  const { DATABASE_URL, DATABASE_URL_FILE } = data
  if (DATABASE_URL && DATABASE_URL_FILE)
    throw invalid('DATABASE_URL_FILE', 'to be unset when DATABASE_URL is set')
  function readUrl(): string {
    const text = DATABASE_URL_FILE
      ? readFile(DATABASE_URL_FILE)
      : (DATABASE_URL ?? defaultUrl)
    if (defaultUrl === IN_MEMORY && text !== IN_MEMORY)
      throw invalid('DATABASE_URL', `${IN_MEMORY} with PROFILE=${profileName}`)
    const url = parseDatabaseUrl(text, root)
    if (url === undefined) throw invalid('DATABASE_URL', DATABASE_URLS)
    return url
  }
  return {
    port,
    host: data.HOST,
    allowedHosts: data.ALLOWED_HOSTS,
    corsOrigins: data.CORS_ORIGIN,
    corsCredentials,
    profileName,
    logLevel: data.LOG_LEVEL,
    database: {
      url: readUrl(),
      readUrl,
      poolSize: data.DATABASE_POOL_SIZE,
      statementTimeoutMs: data.DATABASE_STATEMENT_TIMEOUT_MS,
    },
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
    tracing: readTracing(set),
  }
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
 * The message quotes the variable's value only if `env` is passed. Omit `env`
 * for a URL, which can contain a password.
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

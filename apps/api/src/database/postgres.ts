import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import { UnavailableError } from '../errors.ts'
import { isLoopback } from '../loopback.ts'
import type { DatabaseOptions, Engine } from './engine.ts'
import { NamedStatementClient } from './named-statements.ts'

export const LOCK_TIMEOUT_MS = 2000

export const CONNECT_TIMEOUT_MS = 5000

const HEALTH_TIMEOUT_MS = 450

export async function openPostgres(options: DatabaseOptions): Promise<Engine> {
  const { url, readUrl = () => url, poolSize, statementTimeoutMs } = options
  const connection = {
    ...parseIntoClientConfig(withLibpqTls(url)),
    application_name: 'typed-id-api',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  }
  const config = {
    ...connection,
    Client: class extends NamedStatementClient {
      constructor(config?: pg.ClientConfig) {
        super({ ...config, ...accountOf(readUrl) })
      }
    },
    max: poolSize,
    // Replaces each connection after 10 minutes. A connection on which the
    // server has rejected a statement's name stays slow, because the server
    // then prepares the statement for each execution.
    maxLifetimeSeconds: 600,
    // Ends a query even if the server hangs or a pooler ignores
    // `statement_timeout`.
    query_timeout: statementTimeoutMs + 1000,
  }
  let pool = createPool({
    ...config,
    statement_timeout: statementTimeoutMs,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: statementTimeoutMs,
  })
  const warnings =
    connection.ssl === undefined && isRemote(url)
      ? [
          'the connection to PostgreSQL is not encrypted: set sslmode in DATABASE_URL',
        ]
      : []
  await assertUtf8(pool).catch((error: Error) => {
    if (!error.message.includes('unsupported startup parameter')) throw error
    warnings.push(
      'PgBouncer rejects statement_timeout, lock_timeout and idle_in_transaction_session_timeout: add them to its ignore_startup_parameters, and set them on the server',
    )
    pool = createPool(config)
    return assertUtf8(pool)
  })
  return {
    dialect: new PostgresDialect({
      pool: {
        options: pool.options,
        connect: () => connect(pool, poolSize),
        end: () => pool.end(),
      },
    }),
    healthDb: open({
      ...config,
      max: 1,
      idleTimeoutMillis: 0, // the server may have no free connection later
      connectionTimeoutMillis: HEALTH_TIMEOUT_MS,
      query_timeout: HEALTH_TIMEOUT_MS,
    }),
    warnings,
    poolWaiting: () => pool.waitingCount,
    async migrate(work) {
      const db = open(connection)
      const repeat = (error: { code?: string }) => {
        if (!CREATED_MEANWHILE.has(error.code ?? '')) throw error
        return work(db)
      }
      await work(db)
        .catch(repeat)
        .finally(() => db.destroy())
    },
  }
}

function accountOf(readUrl: () => string): pg.ClientConfig {
  try {
    const { user, password } = parseIntoClientConfig(readUrl())
    return { user, password }
  } catch (cause) {
    const error = new UnavailableError('cannot read the password', { cause })
    return { password: () => Promise.reject(error) }
  }
}

/**
 * If the server allows no further connections (53300), waits for an existing
 * connection of the pool. The pool then opens no connections for 5 s.
 */
async function connect(pool: pg.Pool, size: number): Promise<pg.PoolClient> {
  for (;;)
    try {
      return await pool.connect()
    } catch (error) {
      const isLimit = (error as { code?: string }).code === '53300'
      const { totalCount, options } = pool
      if (!isLimit || totalCount === 0) throw error
      options.max = totalCount
      const reset = () => {
        options.max = size
      }
      setTimeout(reset, CONNECT_TIMEOUT_MS).unref()
    }
}

const CREATED_MEANWHILE = new Set(['23505', '42P07', '42710'])

/** Without listeners for `error`, a broken connection would end the process. */
const createPool = (config: pg.PoolConfig): pg.Pool =>
  new pg.Pool(config)
    .on('error', () => {})
    .on('connect', (client) => client.on('error', () => {}))

const open = (config: pg.PoolConfig) =>
  new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: createPool(config) }),
  })

async function assertUtf8(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(
    "select current_setting('server_encoding') as encoding",
  )
  if (rows[0].encoding === 'UTF8') return
  throw new Error(
    `expected the encoding UTF8, but the database has ${rows[0].encoding}: create it with "create database NAME encoding 'UTF8' template template0"`,
  )
}

const URL_OPTIONS =
  'host, port, user, password, options, sslmode, sslrootcert, sslcert, sslkey, sslnegotiation'

const SSL_MODES = 'disable, prefer, require, verify-ca, verify-full, no-verify'

/**
 * Makes the driver interpret `sslmode` as libpq does. By default, the driver
 * treats `require` as `verify-full`.
 *
 * @throws Error for an option that the driver would ignore. The message does
 * not quote the option, which can be the end of a password that contains `?`.
 */
function withLibpqTls(url: string): string {
  const { hash, pathname, searchParams } = new URL(url)
  if (pathname.includes('@') || hash !== '')
    throw new Error(
      'expected %2F, %3F and %23 instead of /, ? and # in the password',
    )
  const names = [...searchParams.keys()]
  if (
    new Set(names).size < names.length ||
    names.some((name) => !URL_OPTIONS.split(', ').includes(name))
  )
    throw new Error(
      `an option of the URL is unknown or repeated: expected only ${URL_OPTIONS}`,
    )
  const mode = searchParams.get('sslmode')
  if (mode === null || mode === 'no-verify') return url
  if (!SSL_MODES.split(', ').includes(mode))
    throw new Error(`sslmode: expected one of ${SSL_MODES}`)
  return `${url}&uselibpqcompat=true`
}

function isRemote(url: string): boolean {
  const { hostname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? hostname
  return !/^(?:|\/.*|localhost)$/i.test(host) && !isLoopback(host)
}

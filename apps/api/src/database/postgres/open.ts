import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import { RollbackResult, UnavailableError } from '../../errors.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import { createCompiler } from '../compiler.ts'
import type { Database, Db, Statement } from '../database.ts'
import type { ConnectionOptions } from '../engine.ts'
import { nameOf } from '../query.ts'
import { types } from './columns.ts'
import { isNameConflict, isRetryable, isTimeout, toDatabaseError } from './errors.ts'
import { type Call, exchange } from './exchange.ts'
import { lockTables, withoutTimeouts } from './exclusive.ts'
import { mergeReads } from './merged-reads.ts'
import { RowLockAdapter, RowLockDialect } from './migration-lock.ts'
import { APPLICATION, assertNoOtherVersion, assertPrivileges, assertUtf8 } from './requirements.ts'
import { explainStartError } from './start-errors.ts'
import { withLibpqTls } from './tls.ts'
import { GROUP_LIMIT, groupWrites } from './write-groups.ts'

/** Maximum attempts for a transaction that the server rolls back because of a conflict with a concurrent one. */
const MAX_ATTEMPTS = 5

/**
 * Maximum time that a write waits for a lock, in milliseconds: less than the 5 s that a request waits for a connection, or
 * the writes to one locked row would keep all connections from the others and from /readyz. Set here, because PgBouncer
 * rejects start parameters that it does not know.
 */
const LOCK_TIMEOUT_MS = 2000

const statement = (sql: string, name = nameOf(sql)): Statement => ({ sql, name })
// A function: SET takes no parameters, and warns outside of BEGIN and COMMIT.
const SET_LOCK_TIMEOUT = statement("select set_config('lock_timeout', $1, true)")
const setLockTimeout = (ms: number): Call => ({ statement: SET_LOCK_TIMEOUT, values: [ms] })

const BEGIN_WRITE: readonly Call[] = [
  { statement: statement('begin', ''), values: [] },
  { statement: statement(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`, ''), values: [] },
]
const BEGIN_READ: readonly Call[] = [
  { statement: statement('begin isolation level repeatable read read only'), values: [] },
]

/**
 * Opens a pool of connections, and checks the database. Options in the URL (`sslmode`, …) apply. With `isTraced`, each
 * request sends its own statements, so that they have a span in its trace.
 *
 * @throws Error when the server is unreachable or the database is not encoded in UTF-8.
 */
export async function openPostgres(
  url: string,
  options: ConnectionOptions & { isTraced: boolean },
): Promise<Database> {
  const { isTraced, poolSize, connectTimeoutMs, statementTimeoutMs, lastMigration = '' } = options
  const name = `${APPLICATION} ${lastMigration}`.trim()
  const connection = {
    connectionString: withLibpqTls(url),
    application_name: name,
    types,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
  }
  const pool = new pg.Pool({
    ...connection,
    statement_timeout: statementTimeoutMs,
    // An unreachable server does not report its own timeout, so the client gives up one second later.
    query_timeout: statementTimeoutMs + 1000,
  })
  // For migrations and copies, whose statements may take hours. TCP notices that the server is gone.
  const patientPool = new pg.Pool({ ...connection, idleTimeoutMillis: 1000, keepAlive: true })
  // A broken connection fails its query, or leaves the pool when it is idle. Without listeners it would end the process.
  for (const each of [pool, patientPool])
    each.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  try {
    await assertUtf8(pool)
  } catch (error) {
    await pool.end()
    throw explainStartError(error, url)
  }
  const kysely = new Kysely({ dialect: new RowLockDialect({ pool }) })
  const patientKysely = new Kysely({ dialect: new RowLockDialect({ pool: patientPool }) })
  const exclusivelyOn: Database['exclusivelyOn'] = (tables, work) =>
    withRetry(() =>
      patientKysely.transaction().execute(async (transaction) => {
        await withoutTimeouts(transaction)
        await lockTables(transaction, tables)
        return work(transaction)
      }),
    )
  const send = senderFor({ isEnabled: true })
  const execute = (statement: Statement, values: readonly unknown[]) =>
    withRetry(() => withClient(pool, (client) => send(client, [{ statement, values }]))).then(
      ([rows = []]) => rows,
    )
  const runTransaction = async (calls: readonly Call[], lockTimeoutMs = LOCK_TIMEOUT_MS) => {
    const [, ...rows] = await withClient(pool, (client) =>
      send(client, [setLockTimeout(lockTimeoutMs), ...calls]),
    )
    return rows
  }
  const writeAll = groupWrites(compiler, isTraced ? 1 : GROUP_LIMIT, runTransaction, (calls) =>
    withRetry(() => runTransaction(calls)),
  )

  return {
    isRemote: true,
    compiler,
    execute: isTraced ? execute : mergeReads(execute),
    write: (work) => withRetry(() => transaction(BEGIN_WRITE, pool, send, work)),
    writeAll: writeAll as Database['writeAll'],
    read: (work) => withRetry(() => transaction(BEGIN_READ, pool, send, work, false)),
    exclusively: (work) => exclusivelyOn([], work),
    exclusivelyOn,
    readSnapshot: (work) =>
      kysely.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    assertNoOtherVersion: (db, next) => assertNoOtherVersion(db, name, next),
    assertPrivileges: (tables) => assertPrivileges(pool, tables),
    assertDurable() {}, // the server has the files open, not this process, so they cannot be replaced under it
    stats() {
      const { totalCount, idleCount, waitingCount } = pool
      return { pool: { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount } }
    },
    async close() {
      // Ends the pool here, because Kysely does not end the pool of an instance that has run no query.
      await Promise.all([pool.end(), patientPool.end()])
    },
  }
}

const compiler = createCompiler({
  createAdapter: () => new RowLockAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
})

/**
 * Whether statements are prepared under their names. A pooler that changes the server connection between transactions,
 * such as PgBouncer in transaction mode, loses them. The server then reports an error and does not run the statement.
 * From then on the pool sends unnamed statements, which the server plans at every call.
 */
interface Preparation {
  isEnabled: boolean
}

/** Sends statements in one packet. */
type Send = (client: pg.PoolClient, calls: readonly Call[]) => Promise<unknown[][]>

function senderFor(preparation: Preparation): Send {
  const withoutName = ({ statement, values }: Call) => ({ statement: { ...statement, name: '' }, values })
  return async (client, calls) => {
    try {
      return await exchange(client, preparation.isEnabled ? calls : calls.map(withoutName))
    } catch (error) {
      if (isNameConflict(error)) preparation.isEnabled = false
      throw toDatabaseError(error)
    }
  }
}

/** Runs `work` on a connection of the pool, which is outside of a transaction afterwards. */
async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await connect(pool)
  let isBroken = false
  try {
    return await work(client)
  } catch (error) {
    isBroken = error instanceof UnavailableError && !isTimeout(error.cause)
    throw error
  } finally {
    client.release(isBroken)
  }
}

const connect = (pool: pg.Pool) =>
  pool.connect().catch((error) => {
    throw toDatabaseError(error)
  })

/**
 * Runs `work` in a transaction, which `begin` starts in the packet of the first statement. Only a write waits for the end
 * of the transaction.
 */
async function transaction<T>(
  begin: readonly Call[],
  pool: pg.Pool,
  send: Send,
  work: (db: Db) => MaybePromise<T>,
  isWrite = true,
): Promise<T> {
  const client = await connect(pool)
  let isBroken = false
  let ending: Promise<unknown> | undefined
  let last: Promise<unknown> | undefined
  const execute = (statement: Statement, values: readonly unknown[]): Promise<unknown[]> => {
    const call = { statement, values }
    const rows = last ? last.catch(() => {}).then(() => send(client, [call])) : send(client, [...begin, call])
    last = rows
    return rows.then((rows) => rows.at(-1) ?? [])
  }
  try {
    const result = await work({ compiler, execute })
    if (last) ending = client.query(result instanceof RollbackResult ? 'rollback' : 'commit')
    if (isWrite) await ending
    return result
  } catch (cause) {
    const error = toDatabaseError(cause)
    // When the connection breaks during COMMIT, only the server knows whether it took place: the client must read, and
    // the service must not repeat the write. Nor is the connection used again: an unresponsive one would block the next
    // request, too, and one that leads to a demoted primary would serve the next write.
    isBroken = error instanceof UnavailableError
    if (!isBroken && last) ending = client.query('rollback')
    throw error
  } finally {
    if (isBroken || ending === undefined) client.release(isBroken)
    else
      void ending.then(
        () => client.release(),
        () => client.release(true),
      )
  }
}

/** Runs a transaction or a single statement again, after a random pause that grows, when the server rolled it back. */
async function withRetry<T>(attempt: () => MaybePromise<T>): Promise<T> {
  for (let n = 1; ; n += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!isRetryable(error)) throw error
      if (n === MAX_ATTEMPTS) throw new UnavailableError('too many concurrent transactions', { cause: error })
      await pause(Math.random() * 10 * 2 ** n)
    }
  }
}

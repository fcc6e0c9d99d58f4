import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import { RollbackResult, UnavailableError } from '../../errors.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import { createCompiler } from '../compiler.ts'
import type { Database, Db } from '../database.ts'
import type { ConnectionOptions } from '../engine.ts'
import { types } from './columns.ts'
import { isNameConflict, isRetryable, toDatabaseError } from './errors.ts'
import { lockTables, withoutTimeouts } from './exclusive.ts'
import { RowLockAdapter, RowLockDialect } from './migration-lock.ts'
import { APPLICATION, assertNoOtherVersion, assertPrivileges, assertUtf8 } from './requirements.ts'
import { explainStartError } from './start-errors.ts'
import { withLibpqTls } from './tls.ts'

/** Maximum attempts for a transaction that the server rolls back because of a conflict with a concurrent one. */
const MAX_ATTEMPTS = 5

/**
 * Maximum time that a write waits for a lock, in milliseconds: less than the 5 s that a request waits for a connection, or
 * the writes to one locked row would keep all connections from the others and from /readyz. Set here, because PgBouncer
 * rejects start parameters that it does not know.
 */
const LOCK_TIMEOUT_MS = 2000
const BEGIN_WRITE = `begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`

/**
 * Opens a pool of connections, and checks the database. Options in the URL (`sslmode`, …) apply.
 *
 * @throws Error when the server is unreachable or the database is not encoded in UTF-8.
 */
export async function openPostgres(url: string, options: ConnectionOptions): Promise<Database> {
  const { poolSize, connectTimeoutMs, statementTimeoutMs, lastMigration = '' } = options
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
  const preparation: Preparation = { isEnabled: true }
  const execute = executorFor(pool, preparation)

  return {
    compiler,
    execute: (statement, values) => withRetry(() => execute(statement, values)),
    write: (work) => withRetry(() => transaction(BEGIN_WRITE, pool, preparation, work)),
    read: (work) =>
      withRetry(() =>
        transaction('begin isolation level repeatable read read only', pool, preparation, work),
      ),
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

function executorFor(connection: pg.Pool | pg.PoolClient, preparation: Preparation): Db['execute'] {
  return async ({ sql, name }, values) => {
    const query = { name: preparation.isEnabled ? name : '', text: sql, values: [...values] }
    try {
      return (await connection.query(query)).rows
    } catch (error) {
      if (isNameConflict(error)) preparation.isEnabled = false
      throw toDatabaseError(error)
    }
  }
}

async function transaction<T>(
  begin: string,
  pool: pg.Pool,
  preparation: Preparation,
  work: (db: Db) => MaybePromise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error) => {
    throw toDatabaseError(error)
  })
  let broken = false
  try {
    await client.query(begin)
    const result = await work({ compiler, execute: executorFor(client, preparation) })
    await client.query(result instanceof RollbackResult ? 'rollback' : 'commit')
    return result
  } catch (cause) {
    const error = toDatabaseError(cause)
    // When the connection breaks during COMMIT, only the server knows whether it took place: the client must read, and
    // the service must not repeat the write. Nor is the connection used again: an unresponsive one would block the next
    // request, too, and one that leads to a demoted primary would serve the next write.
    broken = error instanceof UnavailableError
    if (!broken) {
      await client.query('rollback').catch(() => {
        broken = true
      })
    }
    throw error
  } finally {
    client.release(broken)
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

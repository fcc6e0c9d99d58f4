import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, type MigrationLockOptions, PostgresAdapter, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Database, Db, Statement } from './database.ts'
import { ConstraintError, type ConstraintKind, UnavailableError } from './errors.ts'
import { withTlsOfLibpq } from './tls.ts'

export interface PostgresOptions {
  /** Connections held at most by this process. */
  readonly poolSize: number
  /** How long a request waits for a connection. */
  readonly connectTimeoutMs: number
  /** How long one statement, or an idle transaction, may take. */
  readonly statementTimeoutMs: number
}

/** A write that lost against another is run again, this often at most. */
const ATTEMPTS = 5

/** Opens a pool of connections; the first query makes the first one. Options in the URL (`sslmode`, …) are honoured. */
export function openPostgres(url: string, options: Partial<PostgresOptions>): Database {
  const { poolSize = 10, connectTimeoutMs = 5000, statementTimeoutMs = 10_000 } = options
  const pool = new pg.Pool({
    connectionString: withTlsOfLibpq(url),
    application_name: 'typed-id-api',
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    // A server that is gone without a word answers nothing at all: give up a little after it should have.
    query_timeout: statementTimeoutMs + 1000,
  })
  // A connection that breaks fails its query, or leaves the pool when it has none. Told to nobody, it would end the process.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  const builder = new Kysely<unknown>({ dialect: new Dialect({ pool }) })

  return {
    builder,
    execute: executor(pool),
    write: (work) => retried(() => transaction(pool, builder, work)),
    exclusively: (work) => retried(() => builder.transaction().execute(work)),
    verify() {}, // whoever answers there has what it answers
    activity() {
      const { totalCount, idleCount, waitingCount } = pool
      return { pool: { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount } }
    },
    close: () => builder.destroy(),
  }
}

/** Locks the migrations by a row, not by an advisory lock, which the distributed databases that speak PostgreSQL lack. */
class RowLockAdapter extends PostgresAdapter {
  override async acquireMigrationLock(db: Kysely<unknown>, options: MigrationLockOptions): Promise<void> {
    await sql`select id from ${sql.table(options.lockTable)} where id = ${options.lockRowId} for update`.execute(
      db,
    )
  }
  override async releaseMigrationLock(): Promise<void> {}
}

class Dialect extends PostgresDialect {
  override createAdapter() {
    return new RowLockAdapter()
  }
}

function executor(connection: pg.Pool | pg.PoolClient): Db['execute'] {
  return async ({ sql, name }: Statement, values: readonly unknown[]) => {
    try {
      return (await connection.query({ name, text: sql, values: [...values] })).rows
    } catch (error) {
      throw translated(error)
    }
  }
}

async function transaction<T>(
  pool: pg.Pool,
  builder: Db['builder'],
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error) => {
    throw translated(error)
  })
  let broken = false
  try {
    await client.query('begin')
    const result = await work({ builder, execute: executor(client) })
    await client.query('commit')
    return result
  } catch (error) {
    const told = translated(error)
    // When the connection is gone nobody knows whether the commit took place: the client must look, we must not repeat it.
    // Nor is the connection used again: one that is silent would be waited for a second time, and one that leads to a
    // primary of yesterday would be handed to the next write.
    broken = told instanceof UnavailableError
    if (!broken) {
      await client.query('rollback').catch(() => {
        broken = true
      })
    }
    throw told
  } finally {
    client.release(broken)
  }
}

/** Repeats what the server rolled back because it met another write, after a random pause that grows. */
async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!LOST.has(codeOf(error) ?? '')) throw error
      if (n === ATTEMPTS) throw new UnavailableError('too many concurrent writes', { cause: error })
      await pause(Math.random() * 10 * 2 ** n)
    }
  }
}

const codeOf = (error: unknown) => (error as { code?: string } | null)?.code

/**
 * Serialization failure and deadlock. And what meets a process that creates the migration tables while another does:
 * a duplicate in the catalogue (23505, the driver's own error and no ConstraintError), a duplicate table, and the
 * transaction that either of them has ended.
 */
const LOST = new Set(['40001', '40P01', '23505', '42P07', '25P02'])

const CONSTRAINTS: Record<string, ConstraintKind> = {
  '23505': 'unique',
  '23503': 'foreign_key',
  '23514': 'check',
  '23502': 'not_null',
}

/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A) of a server that is away, starting, stopping, full, only to be
 * read from (a primary of yesterday) or too slow, and the names under which Node tells of a broken connection.
 */
const UNAVAILABLE = /^(08...|53...|57P0.|57014|58...|25006|25P03|E[A-Z]+)$/
const UNAVAILABLE_WITHOUT_CODE =
  /^(Connection terminated|timeout exceeded|Query read timeout|Client has encountered|Cannot use a pool)/

function translated(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnavailableError) return error
  const code = codeOf(error)
  const kind = CONSTRAINTS[code ?? '']
  if (kind !== undefined) return new ConstraintError(kind, error)
  if (code === undefined ? UNAVAILABLE_WITHOUT_CODE.test(error.message) : UNAVAILABLE.test(code)) {
    return new UnavailableError(code ?? error.message, { cause: error })
  }
  return error
}

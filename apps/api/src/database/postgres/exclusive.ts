import { Kysely, type MigrationLockOptions, PostgresAdapter, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import type { Transaction } from '../database.ts'
import { columns } from './columns.ts'

/**
 * Runs `work` in a transaction. When a statement fails, the server rejects all later ones with TRANSACTION_ABORTED.
 * Throws the first error, because Kysely's migrator runs another statement after it could not create a table.
 */
export function inTransaction<T>(pool: pg.Pool, work: (db: Transaction) => Promise<T>): Promise<T> {
  let first: unknown
  const db = new Kysely({
    dialect: new RowLockDialect({ pool }),
    log(event) {
      if (event.level === 'error') first ??= event.error
    },
  })
  return db
    .transaction()
    .execute(work)
    .catch((error) => {
      throw error.code === TRANSACTION_ABORTED ? first : error
    })
}

/** The SQLSTATE code of a statement in a transaction in which an earlier statement has failed. */
const TRANSACTION_ABORTED = '25P02'

const TIMEOUTS = ['statement_timeout', 'lock_timeout', 'transaction_timeout']

/**
 * Removes time limits that the role or the database may have, for the rest of a transaction. PostgreSQL before 17 has no
 * `transaction_timeout`, and rejects a SET of it.
 */
export async function withoutTimeouts(db: Transaction, names: readonly string[] = TIMEOUTS): Promise<void> {
  await sql`select set_config(name, '0', true) from pg_settings where name in (${sql.join(names)})`.execute(
    db,
  )
}

/**
 * Locks a row during migrations. The end of the transaction releases it. Kysely's own PostgreSQL dialect takes an
 * advisory lock, which distributed databases with PostgreSQL's protocol do not support.
 */
export class RowLockAdapter extends PostgresAdapter {
  readonly columns = columns

  override async acquireMigrationLock(db: Kysely<unknown>, options: MigrationLockOptions): Promise<void> {
    const table = sql.table(options.lockTable)
    await sql`select id from ${table} where id = ${options.lockRowId} for update`.execute(db)
  }
  override async releaseMigrationLock(): Promise<void> {}
}

export class RowLockDialect extends PostgresDialect {
  override createAdapter() {
    return new RowLockAdapter()
  }
}

import { type Kysely, type MigrationLockOptions, PostgresAdapter, PostgresDialect, sql } from 'kysely'
import { columns } from './columns.ts'

/**
 * Locks migrations by a row. Kysely's own PostgreSQL dialect takes an advisory lock, which the distributed databases
 * that speak PostgreSQL's protocol do not have. The end of the transaction releases the row.
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

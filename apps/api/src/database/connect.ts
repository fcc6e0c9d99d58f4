import { ConfigError } from '../config.ts'
import type { Database } from './database.ts'
import { type Migrations, migrate } from './migrate.ts'
import { openSqlite } from './sqlite.ts'

/**
 * Opens the database of a URL that the configuration has checked, `sqlite:<file>` or `sqlite::memory:`, and brings
 * its schema up to date. Throws a ConfigError when the database cannot be opened, used or brought up to date.
 */
export async function openDatabase(url: string, migrations: Migrations): Promise<Database> {
  let db: Database | undefined
  try {
    db = openSqlite(url.slice('sqlite:'.length))
    await migrate(db, migrations)
    return db
  } catch (error) {
    await db?.close()
    throw new ConfigError(
      `DATABASE_URL: cannot use ${url}: ${error instanceof Error ? error.message : error}`,
    )
  }
}

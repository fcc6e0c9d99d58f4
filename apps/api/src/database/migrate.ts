import type { Migration } from 'kysely/migration'
import { Migrator } from 'kysely/migration'
import type { Database } from './database.ts'

/** Migrations by name; they run once each, in the order of their names. */
export type Migrations = Readonly<Record<string, Migration>>

/** Brings the schema up to date and returns the names of the migrations that ran. Throws when one fails, or when the schema is newer than the code. */
export async function migrate(db: Database, migrations: Migrations): Promise<string[]> {
  const migrator = new Migrator({ db: db.builder, provider: { getMigrations: async () => migrations } })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  return results.map((result) => result.migrationName)
}

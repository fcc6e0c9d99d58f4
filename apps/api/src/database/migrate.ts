import { type Migration, Migrator } from 'kysely/migration'
import type { Database, Db } from './database.ts'

/** Migrations by name; they run once each, in the order of their names. */
export type Migrations = Readonly<Record<string, Migration>>

/**
 * Brings the schema up to date, all or nothing, and returns the names of the migrations that ran. Of several processes
 * one migrates and the others wait. Throws when a migration fails, or when the schema has one that is not known here.
 */
export function migrate(db: Database, migrations: Migrations): Promise<string[]> {
  return db.exclusively(async (kysely) => {
    const { error, results = [] } = await migratorFor(kysely, migrations).migrateToLatest()
    if (error !== undefined) throw error
    return results.map((result) => result.migrationName)
  })
}

/** The names of the migrations that the schema lacks. Throws when it has one that is not known here. */
export function pendingMigrations(db: Database, migrations: Migrations): Promise<string[]> {
  return db.exclusively(async (kysely) => {
    const tables = await kysely.introspection.getTables({ withInternalKyselyTables: true })
    if (!tables.some((table) => table.name === 'kysely_migration')) return Object.keys(migrations)
    const executed = await kysely.selectFrom('kysely_migration').select('name').orderBy('name').execute()
    const unknown = executed.find(({ name }) => !(name in migrations))
    if (unknown)
      throw new Error(`the schema has a migration that this version does not know: ${unknown.name}`)
    return Object.keys(migrations).filter((name) => !executed.some((migration) => migration.name === name))
  })
}

/** What keeps this version from working on the schema, if anything does: a cheap look, for a check of health. */
export async function unknownOrPending(db: Db, migrations: Migrations): Promise<string | undefined> {
  const rows = await db.execute({ sql: 'select name from kysely_migration', name: 'migrations' }, [])
  const executed = (rows as { name: string }[]).map(({ name }) => name)
  const unknown = executed.find((name) => !(name in migrations))
  if (unknown !== undefined) return `the schema has a migration that this version does not know: ${unknown}`
  const pending = Object.keys(migrations).find((name) => !executed.includes(name))
  return pending === undefined ? undefined : `the schema lacks the migration ${pending}`
}

function migratorFor(db: ConstructorParameters<typeof Migrator>[0]['db'], migrations: Migrations): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } })
}

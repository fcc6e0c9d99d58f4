import { type Migration, Migrator } from 'kysely/migration'
import type { AnyDatabase, EngineName } from './engine.ts'

/**
 * Migrations import only `kysely`, so that no change of the service alters the
 * migrations.
 */
export type Migrations = Readonly<
  Record<string, { up(db: AnyDatabase, engine: EngineName): Promise<void> }>
>

export async function migrate(
  db: AnyDatabase,
  migrations: Migrations,
  engine: EngineName,
): Promise<void> {
  if ((await describePending(db, migrations)) === undefined) return
  const forEngine = Object.entries(migrations).map(
    ([name, { up }]): [string, Migration] => [
      name,
      { up: (db) => up(db, engine) },
    ],
  )
  const provider = { getMigrations: async () => Object.fromEntries(forEngine) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error !== undefined) throw error
}

export async function assertMigrated(
  db: AnyDatabase,
  migrations: Migrations,
  command: string,
): Promise<void> {
  const pending = await describePending(db, migrations)
  if (pending !== undefined) throw new Error(`${pending}: run "${command}"`)
}

async function describePending(
  db: AnyDatabase,
  migrations: Migrations,
): Promise<string | undefined> {
  const tables = await db.introspection.getTables({
    withInternalKyselyTables: true,
  })
  const isEmpty = !tables.some(({ name }) => name === 'kysely_migration')
  const { pending, unknown } = isEmpty
    ? compare([], migrations)
    : await compareSchema(db, migrations)
  if (unknown !== undefined) throw new Error(unknown)
  return pending
}

export async function compareSchema(db: AnyDatabase, migrations: Migrations) {
  const rows = await db.selectFrom('kysely_migration').select('name').execute()
  return compare(
    rows.map(({ name }) => name),
    migrations,
  )
}

function compare(executed: readonly string[], migrations: Migrations) {
  const unknown = executed.find((name) => !Object.hasOwn(migrations, name))
  const pending = Object.keys(migrations).find(
    (name) => !executed.includes(name),
  )
  return {
    unknown:
      unknown &&
      `the schema has a migration that this version does not know: ${unknown}`,
    pending: pending && `the schema lacks the migration ${pending}`,
  }
}

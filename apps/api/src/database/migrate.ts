import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

/** Migrations by name. Each runs once, in the order of the names. There is no rollback: restore a backup instead. */
export type Migrations = Readonly<Record<string, Pick<Migration, 'up'>>>

/**
 * Applies pending migrations in one transaction. When several processes start at the same time, one of them migrates, and
 * the others wait.
 *
 * @throws Error when a migration fails, or the schema has a migration that this version does not know.
 */
// biome-ignore lint/suspicious/noExplicitAny: the tables of a profile.
export async function migrate(db: Kysely<any>, migrations: Migrations): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  // Runs before Kysely's own check, whose message would report corrupted migrations.
  if (tables.some(({ name }) => name === 'kysely_migration'))
    assertKnown(await executedMigrations(db), migrations)
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
  }).migrateToLatest()
  if (error !== undefined) throw error
}

/** Returns the reason why this version cannot use the schema, or undefined. One cheap query, for health checks. */
// biome-ignore lint/suspicious/noExplicitAny: the tables of a profile.
export async function schemaMismatch(db: Kysely<any>, migrations: Migrations): Promise<string | undefined> {
  const executed = await executedMigrations(db)
  const unknown = executed.find((name) => !Object.hasOwn(migrations, name))
  if (unknown !== undefined) return unknownMigration(unknown)
  const pending = Object.keys(migrations).find((name) => !executed.includes(name))
  return pending && `the schema lacks the migration ${pending}`
}

// biome-ignore lint/suspicious/noExplicitAny: the tables of a profile.
const executedMigrations = async (db: Kysely<any>): Promise<string[]> =>
  (await db.selectFrom('kysely_migration').select('name').execute()).map(({ name }) => name)

function assertKnown(executed: readonly string[], migrations: Migrations): void {
  const unknown = executed.find((name) => !Object.hasOwn(migrations, name))
  if (unknown !== undefined) throw new Error(unknownMigration(unknown))
}

const unknownMigration = (name: string) =>
  `the schema has a migration that this version does not know: ${name}`

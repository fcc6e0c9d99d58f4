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
  const { pending } = await compare(db, migrations)
  if (pending === undefined) return
  const provider = { getMigrations: async () => migrations }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error !== undefined) throw error
}

/** Throws when a migration is pending, or unknown to this version. `command` is how an operator applies migrations. */
// biome-ignore lint/suspicious/noExplicitAny: the tables of a profile.
export async function assertMigrated(db: Kysely<any>, migrations: Migrations, command: string) {
  const { pending } = await compare(db, migrations)
  if (pending !== undefined) throw new Error(`the schema lacks the migration ${pending}: run "${command}"`)
}

/** Returns the first pending migration. Kysely's own check would report an unknown one as corrupted migrations. */
// biome-ignore lint/suspicious/noExplicitAny: the tables of a profile.
async function compare(db: Kysely<any>, migrations: Migrations): Promise<{ pending: string | undefined }> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const isEmpty = !tables.some(({ name }) => name === 'kysely_migration')
  const executed = isEmpty ? [] : await executedMigrations(db)
  const unknown = unknownIn(executed, migrations)
  if (unknown !== undefined) throw new Error(unknown)
  return { pending: pendingIn(executed, migrations) }
}

/** Returns the reason why this version cannot use the schema, or undefined. One cheap query, for health checks. */
// biome-ignore lint/suspicious/noExplicitAny: the tables of a profile.
export async function schemaMismatch(db: Kysely<any>, migrations: Migrations): Promise<string | undefined> {
  const executed = await executedMigrations(db)
  const pending = pendingIn(executed, migrations)
  return unknownIn(executed, migrations) ?? (pending && `the schema lacks the migration ${pending}`)
}

// biome-ignore lint/suspicious/noExplicitAny: the tables of a profile.
const executedMigrations = async (db: Kysely<any>): Promise<string[]> =>
  (await db.selectFrom('kysely_migration').select('name').execute()).map(({ name }) => name)

const pendingIn = (executed: readonly string[], migrations: Migrations) =>
  Object.keys(migrations).find((name) => !executed.includes(name))

function unknownIn(executed: readonly string[], migrations: Migrations): string | undefined {
  const unknown = executed.find((name) => !Object.hasOwn(migrations, name))
  return unknown && `the schema has a migration that this version does not know: ${unknown}`
}

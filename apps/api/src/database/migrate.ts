import { type Migration, Migrator } from 'kysely/migration'
import type { Database, Db, Statement, Transaction } from './database.ts'
import { nameOf } from './query.ts'

/** Migrations by name. Each runs once, in the order of the names. There is no rollback: restore a backup instead. */
export type Migrations = Readonly<Record<string, Pick<Migration, 'up'>>>

/**
 * Applies pending migrations in one transaction and returns their names. When several processes start at the same
 * time, one migrates and the others wait.
 *
 * @throws Error when a migration fails, when the schema has a migration that this version does not know, or while instances
 * of another version use the schema.
 */
export function migrate(db: Database, migrations: Migrations): Promise<string[]> {
  return db.exclusively(async (transaction) => {
    // Runs before Kysely's own check, whose message would report corrupted migrations.
    const executed = await executedMigrations(transaction)
    const { pending, unknown } = compare(executed, migrations)
    if (unknown !== undefined) throw new Error(unknownMigration(unknown))
    if (executed.length > 0 && pending[0] !== undefined)
      await db.assertNoOtherVersion(transaction, pending[0])
    const provider = { getMigrations: async () => migrations }
    const migrator = new Migrator({ db: transaction, provider })
    const { error, results = [] } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
    return results.map((result) => result.migrationName)
  })
}

/** Returns the names of the pending migrations. Throws when the schema has a migration that this version does not know. */
export function pendingMigrations(db: Database, migrations: Migrations): Promise<string[]> {
  return db.exclusively(async (transaction) => {
    const { pending, unknown } = compare(await executedMigrations(transaction), migrations)
    if (unknown !== undefined) throw new Error(unknownMigration(unknown))
    return pending
  })
}

/** Returns the reason why this version cannot use the schema, or undefined. One cheap query, for health checks. */
export async function schemaMismatch(db: Db, migrations: Migrations): Promise<string | undefined> {
  const rows = (await db.execute(SELECT_EXECUTED, [])) as { name: string }[]
  const { pending, unknown } = compare(
    rows.map(({ name }) => name),
    migrations,
  )
  if (unknown !== undefined) return unknownMigration(unknown)
  return pending[0] && `the schema lacks the migration ${pending[0]}`
}

const SELECT_EXECUTED_SQL = 'select name from kysely_migration'
const SELECT_EXECUTED: Statement = { sql: SELECT_EXECUTED_SQL, name: nameOf(SELECT_EXECUTED_SQL) }

async function executedMigrations(db: Transaction): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return []
  const rows = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

function compare(executed: readonly string[], migrations: Migrations) {
  return {
    pending: Object.keys(migrations).filter((name) => !executed.includes(name)),
    unknown: executed.find((name) => !Object.hasOwn(migrations, name)),
  }
}

const unknownMigration = (name: string) =>
  `the schema has a migration that this version does not know: ${name}`

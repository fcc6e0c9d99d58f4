import { OperatorError } from '../errors.ts'
import type { Database } from './database.ts'
import type { DatabaseOptions } from './engine.ts'
import { type Migrations, migrate, pendingMigrations } from './migrate.ts'

export interface OpenOptions {
  /** Whether to apply pending migrations, or only to check that none is pending. */
  readonly migrating?: boolean
  /** How an operator applies migrations, for the message about a pending one. */
  readonly migrateCommand?: string
  /** Tables whose rows the service must be allowed to read and change. */
  readonly tables?: readonly { readonly name: string }[] | undefined
}

/**
 * Opens a database, brings its schema up to date and checks that the service can work on it.
 *
 * @throws OperatorError when the database cannot be used or has a migration that this version does not know.
 */
export async function openDatabase(
  options: DatabaseOptions,
  migrations: Migrations,
  { migrating = true, migrateCommand = 'migrate', tables = [] }: OpenOptions = {},
): Promise<Database> {
  const { engine, url } = options
  const lastMigration = Object.keys(migrations).at(-1)
  const db = await describeFailure(url, () => engine.open(url, { ...options, lastMigration }))
  try {
    await describeFailure(url, async () => {
      const names = tables.map(({ name }) => name)
      // Checks before migrating, because the error of a migration would name an internal table of the migrations.
      await db.assertPrivileges(names, migrating)
      if (migrating) await migrate(db, migrations)
      else await assertMigrated(db, migrations, migrateCommand)
      await db.assertPrivileges(names, migrating)
    })
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

async function assertMigrated(db: Database, migrations: Migrations, command: string): Promise<void> {
  const [pending] = await pendingMigrations(db, migrations)
  if (pending) throw new Error(`the schema lacks the migration ${pending}: run "${command}"`)
}

async function describeFailure<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new OperatorError(`cannot use ${withoutSecrets(url)}: ${reasonOf(error)}`)
  }
}

/** Returns the URL without user, password and options, because each of them can be a secret. */
function withoutSecrets(url: string): string {
  if (!URL.canParse(url)) return url
  const { protocol, host, pathname } = new URL(url)
  // The password contains an unencoded / ? or #, so its start would be read as host or port, and the rest as the path.
  if (/^[^/]+:\/\/[^/?#]*[/?#].*@/s.test(url)) return `${protocol}//…`
  // A URL without a host is that of a file, or has a socket in its options.
  return host ? `${protocol}//${host}${pathname}` : url.replace(/\?.*/s, '')
}

/** Returns the messages of an error and of its causes in one line. */
export function reasonOf(error: unknown): string {
  // Node tries every address of a host and throws one AggregateError for all of them, without a message.
  const [first] = error instanceof AggregateError ? error.errors : [error]
  const { message, cause } = first instanceof Error ? first : new Error(String(first))
  const reason = cause instanceof Error && cause.message !== message ? reasonOf(cause) : undefined
  return [message, reason].filter(Boolean).join(': ').replaceAll('\n', ' ')
}

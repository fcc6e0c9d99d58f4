import { ConfigError } from '../config.ts'
import type { Database } from './database.ts'
import { type Migrations, migrate, pendingMigrations } from './migrate.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export interface DatabaseOptions extends Partial<PostgresOptions> {
  /** `sqlite:<file>`, `sqlite::memory:` or `postgres://…` */
  readonly url: string
}

/** Opens the database of a URL. Throws a ConfigError when it cannot be used. */
export const connect = (options: DatabaseOptions): Promise<Database> => usable(options, () => open(options))

/**
 * Opens a database and brings its schema up to date, or, when told not to migrate, makes sure that it is.
 * Throws a ConfigError when the database cannot be used or has a schema that this version does not know.
 */
export async function openDatabase(
  options: DatabaseOptions,
  migrations: Migrations,
  { migrating = true } = {},
): Promise<Database> {
  const db = await connect(options)
  try {
    await usable(options, async () => {
      if (migrating) return migrate(db, migrations)
      const [pending] = await pendingMigrations(db, migrations)
      if (pending)
        throw new Error(`the schema lacks the migration ${pending}: run "pnpm --filter api migrate"`)
    })
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

async function open(options: DatabaseOptions): Promise<Database> {
  const { url } = options
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url, options)
}

async function usable<T>({ url }: DatabaseOptions, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    throw new ConfigError(`DATABASE_URL: cannot use ${withoutSecrets(url)}: ${reason(error)}`)
  }
}

/** The URL without user, password and options, any of which can be a secret. */
export function withoutSecrets(url: string): string {
  if (url.startsWith('sqlite:')) return url
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

function reason(error: unknown): string {
  // Node tries every address of a host and gives one error for all of them, without a message.
  const [first] = error instanceof AggregateError ? error.errors : [error]
  const { message, cause } = first instanceof Error ? first : new Error(String(first))
  const text = cause instanceof Error && cause.message !== message ? `${message}: ${reason(cause)}` : message
  return text.replaceAll('\n', ' ')
}

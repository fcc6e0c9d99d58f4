import { existsSync } from 'node:fs'
import { ConfigError } from '../config.ts'
import type { Database } from './database.ts'
import { type Migrations, migrate, pendingMigrations } from './migrate.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export interface DatabaseOptions extends Partial<PostgresOptions> {
  /** `sqlite:<file>`, `sqlite::memory:` or `postgres://…` */
  readonly url: string
  /** The variable or argument that the URL comes from. */
  readonly variable?: string
  /** Whether it must be there already: a SQLite file is created otherwise. */
  readonly existing?: boolean
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
  const { url, existing = false } = options
  if (!url.startsWith('sqlite:')) return openPostgres(url, options)
  const file = url.slice('sqlite:'.length)
  if (existing && !existsSync(file)) throw new Error('it is not there')
  return openSqlite(file)
}

async function usable<T>(options: DatabaseOptions, use: () => Promise<T>): Promise<T> {
  const { url, variable = 'DATABASE_URL' } = options
  try {
    return await use()
  } catch (error) {
    throw new ConfigError(`${variable}: cannot use ${withoutSecrets(url)}: ${reason(error)}`)
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

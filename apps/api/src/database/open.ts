import { Kysely } from 'kysely'
import { OperatorError } from '../errors.ts'
import type { AnyDatabase, DatabaseOptions, Engine } from './engine.ts'
import { assertMigrated, type Migrations, migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export interface OpenDatabase
  extends Pick<Engine, 'healthDb' | 'poolWaiting' | 'warnings' | 'check'> {
  readonly db: AnyDatabase
  close(): Promise<void>
}

export async function openDatabase(
  options: DatabaseOptions,
  migrations: Migrations,
  migrateCommand?: string,
): Promise<OpenDatabase> {
  const { url, log } = options
  try {
    const name = url.startsWith('sqlite:') ? 'sqlite' : 'postgres'
    const engine =
      name === 'sqlite' ? await openSqlite(url) : await openPostgres(options)
    const { dialect, migrate: _, ...rest } = engine
    const db = new Kysely<unknown>({ dialect, ...(log && { log }) })
    if (migrateCommand) await assertMigrated(db, migrations, migrateCommand)
    else
      await (engine.migrate ?? ((work) => work(db)))((db) =>
        migrate(db, migrations, name),
      )
    const close = async () =>
      void (await Promise.all([db.destroy(), engine.healthDb?.destroy()]))
    return { ...rest, db, close }
  } catch (error) {
    throw new OperatorError(
      `DATABASE_URL: cannot use ${withoutSecrets(url)}: ${reasonOf(error)}`,
    )
  }
}

export function withoutSecrets(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  // If a password contains / ? or #, its end looks like a path or options, so
  // only the protocol is safe to show.
  if (/^[^/]+:\/\/[^/?#]*[/?#].*@/s.test(url)) return `${protocol}//…`
  // A URL without a host names a file or a socket. The options after `?` can
  // contain a password.
  return host ? `${protocol}//${host}${pathname}` : url.replace(/\?.*/s, '')
}

export function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error]
  const {
    message: text,
    cause,
    code,
  } = (
    first instanceof Error ? first : new Error(String(first))
  ) as NodeJS.ErrnoException
  const message = code?.startsWith('SQLITE_') ? `${code}: ${text}` : text
  const reason =
    cause instanceof Error && cause.message !== message
      ? reasonOf(cause)
      : undefined
  return [message, reason]
    .filter(Boolean)
    .join(': ')
    .replaceAll('\n', ' ')
    .replace(/\p{Cc}/gu, (text) => JSON.stringify(text).slice(1, -1))
}

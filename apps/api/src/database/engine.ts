import type { Dialect, Kysely, Logger } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: each profile has its own tables.
export type AnyDatabase = Kysely<any>

export type EngineName = 'sqlite' | 'postgres'

export interface DatabaseOptions {
  readonly url: string
  /** Reads the URL again, because DATABASE_URL_FILE can change. */
  readonly readUrl?: () => string
  readonly poolSize: number
  /**
   * On PostgreSQL, the maximum duration of a statement, and the maximum time
   * for which a transaction may be idle, in milliseconds.
   */
  readonly statementTimeoutMs: number
  readonly log?: Logger | undefined
}

export interface Engine {
  readonly dialect: Dialect
  /** Only for health checks, because requests can occupy the whole pool. */
  readonly healthDb?: AnyDatabase
  readonly warnings?: readonly string[]
  poolWaiting?(): number
  /** Throws UnavailableError when the files of SQLite were replaced. */
  check?(): void
  /** Runs migrations without the timeouts of requests. */
  migrate?(work: (db: Kysely<unknown>) => Promise<void>): Promise<void>
}

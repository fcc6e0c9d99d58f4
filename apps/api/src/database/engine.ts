import type { Dialect, Kysely, Logger } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: each profile has its own tables.
export type AnyDatabase = Kysely<any>

export interface DatabaseOptions {
  readonly url: string
  /** Returns the URL as it is now: a file that contains it can have changed. */
  readonly readUrl?: () => string
  readonly poolSize: number
  /**
   * Maximum duration of one statement and of an idle transaction on PostgreSQL,
   * in milliseconds.
   */
  readonly statementTimeoutMs: number
  /**
   * Kysely's option, which is called for each statement and each error of one.
   */
  readonly log?: Logger | undefined
}

/**
 * What `openSqlite` and `openPostgres` return: a Kysely dialect, and what does
 * not belong into one.
 */
export interface Engine {
  readonly dialect: Dialect
  /** What the operator should know about the connection. */
  readonly warning?: string
  /**
   * Returns the number of requests that wait for a connection to PostgreSQL.
   */
  poolWaiting?(): number
  /**
   * Runs migrations, whose statements may take longer than the ones of
   * requests. By default on `dialect`.
   */
  migrate?(work: (db: Kysely<unknown>) => Promise<void>): Promise<void>
}

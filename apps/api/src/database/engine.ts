import type { Dialect, Kysely, Logger } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: each profile has its own tables.
export type AnyDatabase = Kysely<any>

export type EngineName = 'sqlite' | 'postgres'

export interface DatabaseOptions {
  readonly url: string
  /**
   * Called for each connection, because DATABASE_URL_FILE can have a new
   * password.
   */
  readonly readUrl?: () => string
  readonly poolSize: number
  readonly statementTimeoutMs: number
  readonly log?: Logger | undefined
}

export interface Engine {
  readonly dialect: Dialect
  /**
   * Has its own connection, so that a full pool does not delay health checks.
   */
  readonly healthDb?: AnyDatabase
  readonly warnings?: readonly string[]
  poolWaiting?(): number
  check?(): void
  /** Runs migrations without the timeouts of requests. */
  migrate?(work: (db: Kysely<unknown>) => Promise<void>): Promise<void>
}

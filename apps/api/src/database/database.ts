import type { Kysely } from 'kysely'

/** A query compiled once: its text and a name that is its own on one server. */
export interface Statement {
  readonly sql: string
  readonly name: string
}

/** Where statements run: the database itself, or the transaction of one write. */
export interface Db {
  /** Compiles queries and runs migrations. Requests run through `execute`. */
  // biome-ignore lint/suspicious/noExplicitAny: each profile brings its own tables; `query` puts the types back.
  readonly builder: Kysely<any>
  execute(statement: Statement, values: readonly unknown[]): Promise<unknown[]>
}

export interface Database extends Db {
  /**
   * Runs `work` in a transaction and answers once it is durable; what `work` throws is rolled back and thrown on.
   * `work` may await its own statements and nothing else (hash passwords before).
   */
  write<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Runs `work` in a transaction of its own, one process at a time: for migrations. */
  // biome-ignore lint/suspicious/noExplicitAny: a migration runs before there are tables to have types.
  exclusively<T>(work: (db: Kysely<any>) => Promise<T>): Promise<T>
  /** Throws an UnavailableError when what is written would be gone with this process, though reads are answered. */
  verify(): void
  activity(): Activity
  close(): Promise<void>
}

/** What a database does now, and has done since it was opened, by whatever its engine has of it. */
export interface Activity {
  /** Connections to a server, and who waits for one. */
  readonly pool?: { readonly busy: number; readonly idle: number; readonly waiting: number }
  /** Commits that several writes shared, and these writes. */
  readonly commits?: { readonly groups: number; readonly writes: number }
}

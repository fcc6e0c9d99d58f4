import type { Kysely } from 'kysely'
import type { MaybePromise } from './maybe-promise.ts'

/** A query that was compiled once. */
export interface Statement {
  readonly sql: string
  /** The name under which the statement is prepared: see `nameOf`. With an empty name, it is not prepared. */
  readonly name: string
  /** Names of the parameters, in the order of the values. The name of a constant is undefined. */
  readonly parameters?: readonly (string | undefined)[]
  /**
   * For a read by one key: the column that contains the key, and a statement that reads the rows for a list of keys. An
   * engine may combine several reads in that statement.
   */
  readonly byKey?: { readonly key: string; many(): Statement }
}

/** Runs statements: the database itself, or one of its transactions. */
export interface Db {
  /**
   * Builds and compiles queries in the dialect of the engine. The compiler has no connection. Its `execute()` throws,
   * so a query inside `writeAll` cannot run outside the transaction by mistake.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each profile has its own tables; `queriesOn` restores their types.
  readonly compiler: Kysely<any>
  execute(statement: Statement, values: readonly unknown[]): MaybePromise<unknown[]>
}

/** A transaction for migrations, which know tables by name only. */
// biome-ignore lint/suspicious/noExplicitAny: a migration runs before there are tables to have types.
export type Transaction = Kysely<any>

export interface Database extends Db {
  /** Whether each statement is a round trip to a server. */
  readonly isRemote: boolean
  /**
   * Runs the statements of `work` in a transaction and resolves with its results when it is durable. No statement may
   * depend on the rows of another one, so a database server receives all of them in one packet. Concurrent writes can
   * share a transaction and its packet, too. If that transaction fails, `work` runs again, so it must have no effects
   * beside its statements. If a statement of `work` fails, nothing of this write is stored, and the error is thrown.
   *
   * @example
   * const [isFound, user] = await db.writeAll((tx) => [updateUser(tx, id, change), findUser(tx, id)])
   */
  writeAll<const Results extends readonly unknown[]>(
    work: (db: Db) => Results,
  ): Promise<{ -readonly [K in keyof Results]: Awaited<Results[K]> }>
  /**
   * Runs `work`, whose statements all see one state of the database. `work` may await only statements on its `db`.
   * PostgreSQL has none: one statement reads whatever must be of one state.
   */
  read?<T>(work: (db: Db) => MaybePromise<T>): Promise<T>
  /**
   * Runs `work`, such as a migration, in a read-write transaction without a limit to its duration. SQLite runs one such
   * transaction at a time across all processes.
   */
  exclusively<T>(work: (db: Transaction) => Promise<T>): Promise<T>
  /** Runs `work` in a read-only transaction: all of its reads see one state of the database. */
  readSnapshot<T>(work: (db: Transaction) => Promise<T>): Promise<T>
  /** Throws when instances with another last migration are connected to the server, because `next` would break them. */
  assertNoOtherVersion(db: Transaction, next: string): Promise<void>
  /**
   * Throws unless the service may read and change the rows of the tables and, with `migrating`, create the first
   * tables. Ignores tables that do not exist.
   */
  assertPrivileges(tables: readonly string[], migrating: boolean): Promise<void>
  /** Throws an UnavailableError when reads succeed, but committed writes would be lost at the end of this process. */
  assertDurable(): void
  stats(): DatabaseStats
  close(): Promise<void>
}

/** Numbers for metrics. An engine reports only those that apply to it. Counters start when the database is opened. */
export interface DatabaseStats {
  /** Connections to the server, and requests that wait for a connection. */
  readonly pool?: { readonly busy: number; readonly idle: number; readonly waiting: number }
  /**
   * For a database in a file: the sizes in bytes of the file, of its write-ahead log and of the free space on their
   * disk, and the time of the last backup in seconds since 1970, or 0 if there is none.
   */
  readonly files?: () => Readonly<Record<'database' | 'wal' | 'free' | 'lastBackup', number>>
  /** Number of commits, and number of writes. Several writes can share a commit. */
  readonly commits?: { readonly groups: number; readonly writes: number }
}

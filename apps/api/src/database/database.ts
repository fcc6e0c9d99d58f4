import type { Kysely } from 'kysely'
import type { MaybePromise } from '../maybe-promise.ts'

/** A query that was compiled once. */
export interface Statement {
  readonly sql: string
  /** Derived from the SQL: see `nameOf`. An empty name means that the statement is not prepared. */
  readonly name: string
  /** Names of the parameters in the order of the values, undefined for constants. */
  readonly parameters?: readonly (string | undefined)[]
  /** Names of the columns of booleans in the rows. An engine without booleans stores them as 0 and 1. */
  readonly booleans?: readonly string[]
  /**
   * For a read by one key: the column of its rows that contains the key, and the statement that reads the rows of a list
   * of keys. An engine may answer several reads with it.
   */
  readonly byKey?: { readonly key: string; many(): Statement }
}

/** Where statements run: the database itself, or one of its transactions. */
export interface Db {
  /**
   * Builds and compiles queries in the dialect of the engine. It has no connection: its `execute()` throws, so a query
   * inside `write` cannot run outside the transaction by mistake.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each profile has its own tables; `queriesOn` restores their types.
  readonly compiler: Kysely<any>
  execute(statement: Statement, values: readonly unknown[]): MaybePromise<unknown[]>
}

/** A transaction for work on tables that are known by name only: migrations and copies. */
// biome-ignore lint/suspicious/noExplicitAny: a migration runs before there are tables to have types.
export type Transaction = Kysely<any>

export interface Database extends Db {
  /** Whether each statement is a round trip to a server. */
  readonly isRemote: boolean
  /**
   * Runs `work` in a transaction and resolves when it is durable. An error of `work` rolls the transaction back and is
   * rethrown. A RollbackResult, such as a Failure, rolls it back and is returned. `work` may await statements on its
   * `db` only: hash a password before, not inside.
   */
  write<T>(work: (db: Db) => MaybePromise<T>): Promise<T>
  /**
   * Runs the statements of `work` in a transaction and resolves with its results when it is durable. No statement may
   * depend on the rows of another one, so a database server receives all of them in one packet. Concurrent writes can
   * share a transaction and its packet, too. `work` runs again when that fails: it must have no effect but its
   * statements. If a statement fails, nothing of this write is stored, and its error is thrown.
   *
   * @example
   * const [isFound, user] = await db.writeAll((tx) => [updateUser(tx, id, change), findUser(tx, id)])
   */
  writeAll<const Results extends readonly unknown[]>(
    work: (db: Db) => Results,
  ): Promise<{ -readonly [K in keyof Results]: Awaited<Results[K]> }>
  /** Runs `work`, whose statements all see one state of the database. It may await statements on its `db` only. */
  read<T>(work: (db: Db) => MaybePromise<T>): Promise<T>
  /**
   * Runs `work`, such as a migration, in a read-write transaction without a limit to its duration. SQLite runs one of
   * them at a time across all processes.
   */
  exclusively<T>(work: (db: Transaction) => Promise<T>): Promise<T>
  /**
   * Runs `work` as `exclusively` does, while no other transaction may write to `tables`.
   *
   * @throws OperatorError when one does at present.
   */
  exclusivelyOn<T>(tables: readonly string[], work: (db: Transaction) => Promise<T>): Promise<T>
  /** Runs `work` in a read-only transaction: all of its reads see one state of the database. */
  readSnapshot<T>(work: (db: Transaction) => Promise<T>): Promise<T>
  /** Throws when the server has connections of instances that know another last migration, which `next` would break. */
  assertNoOtherVersion(db: Transaction, next: string): Promise<void>
  /**
   * Throws unless the service may read and change the rows of the tables, and, with `migrating`, create the first ones.
   * Ignores tables that do not exist.
   */
  assertPrivileges(tables: readonly string[], migrating: boolean): Promise<void>
  /** Throws an UnavailableError when committed writes would be lost at the end of this process, though reads succeed. */
  assertDurable(): void
  stats(): DatabaseStats
  close(): Promise<void>
}

/** Counters of one database since it was opened. An engine reports those that apply to it. */
export interface DatabaseStats {
  /** Connections to the server, and requests that wait for one. */
  readonly pool?: { readonly busy: number; readonly idle: number; readonly waiting: number }
  /**
   * Of a database in a file: the sizes in bytes of the file, of its log of writes, and what is free on their disk, and the
   * time of the last backup, in seconds since 1970, 0 without one.
   */
  readonly files?: () => Readonly<Record<'database' | 'wal' | 'free' | 'lastBackup', number>>
  /** Commits, each of which several writes can share, and the writes in them. */
  readonly commits?: { readonly groups: number; readonly writes: number }
}

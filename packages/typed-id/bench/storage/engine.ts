/** The ways to store the ids of a table. */
export const WAYS = ['text, version 7', 'native, version 7', 'text, version 4'] as const
export type Way = (typeof WAYS)[number]

/** The value of an id in a column: text, or the bytes on SQLite. */
export type Key = string | Buffer

/** A database with a table `users` and a table `memberships`, which refers to it, for each way. */
export interface Engine {
  readonly name: string
  /** Returns the value to store for a standard id. */
  toKey(way: Way, id: string): Key
  /** Inserts rows into `users`, in one statement or transaction. */
  insert(way: Way, keys: readonly Key[]): Promise<void>
  /** Inserts a membership for each user in random order, and updates the statistics. */
  fill(way: Way): Promise<void>
  /** Returns the bytes of both tables, and of all their indexes. */
  measureSize(way: Way): Promise<{ tables: number; indexes: number }>
  /** Reads the rows with these keys, with one query for each. */
  lookUp(way: Way, keys: readonly Key[]): Promise<void>
  /** Joins all rows of both tables, and returns their number. */
  join(way: Way): Promise<number>
  /** Reads the rows after a key in the order of the keys, and returns their number. */
  readPage(way: Way, after: Key, length: number): Promise<number>
  /** Returns the processor time that the engine has used, in milliseconds. */
  readProcessorTime(): number
  close(): Promise<void>
}

/** The names of the tables of a way. */
export function tablesOf(way: Way): { users: string; memberships: string } {
  const suffix = way.replace(/[^a-z0-9]+/g, '_')
  return { users: `users_${suffix}`, memberships: `memberships_${suffix}` }
}

/** A database with the functions of the SQL file, as the claims use it. */
export interface Engine {
  /**
   * Evaluates an expression for many rows in one statement, and returns the results in the order of the rows. The
   * expression uses the columns a and b of the rows.
   */
  map(
    expression: string,
    rows: readonly (readonly [a: string | null, b?: string])[],
  ): Promise<(string | null)[]>
  /** Returns the text of a time that the functions accept. */
  formatTime(ms: number): string
  /** Returns the expression for the milliseconds of a time. */
  toMilliseconds(time: string): string
  /** The latest time that the engine's type can hold, in milliseconds. */
  readonly maxTime: number
  /** The first of the bits of a generated UUID that are random up to the last, number 127. */
  readonly firstRandomBit: number
  /** Inserts a text into a column that accepts ids of the type `user` only. */
  insertUser(id: string): Promise<unknown>
}

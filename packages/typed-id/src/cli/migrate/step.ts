/** A part of a plan. It is printed as it is run. */
export interface Step {
  readonly title: string
  /** What the step locks and for how long. */
  readonly lock: string
  /**
   * - `transaction`: all statements in one transaction, which locks `tables` exclusively.
   * - `separate`: each statement by itself. A step that was interrupted is repeated from its first statement.
   * - `backfill`: the first statement for each range of pages of the table, then the second one once.
   * - `compare`: a query for the number of rows that differ, and two checksums that must be equal.
   */
  readonly run: 'transaction' | 'separate' | 'backfill' | 'compare'
  readonly tables: readonly string[]
  readonly statements: readonly string[]
}

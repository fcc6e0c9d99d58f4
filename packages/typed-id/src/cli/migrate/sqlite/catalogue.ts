/** A column that is converted. */
export interface Column {
  readonly name: string
  readonly prefix: string
  readonly isNamed: boolean
  readonly type: string
  /** The default as CREATE TABLE contains it. */
  readonly default: string | null
}

export interface Table {
  readonly name: string
  /** The names of all columns that are not generated. */
  readonly allColumns: readonly string[]
  readonly columns: readonly Column[]
  readonly primaryKey: readonly string[]
  /** The CREATE TABLE statement. */
  readonly sql: string
  /** The CREATE INDEX statements. */
  readonly indexes: readonly string[]
  readonly triggers: readonly { readonly name: string; readonly sql: string }[]
}

/** What the planner knows of a database. Names are not quoted. */
export interface Catalogue {
  readonly tables: readonly Table[]
}

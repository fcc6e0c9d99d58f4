import { MigrationError } from './error.ts'

/** The columns of a foreign key, and the columns that they refer to, in the same order. */
export interface Reference {
  readonly table: string
  readonly columns: readonly string[]
  readonly parent: string
  readonly parentColumns: readonly string[]
}

/** A column and the prefix of the ids in it. */
export interface TypedColumn {
  readonly table: string
  readonly column: string
  readonly prefix: string
  /** Whether the command line names the column. The others follow by foreign keys. */
  readonly isNamed: boolean
}

/**
 * Returns the named columns and every column that is connected with one of them by foreign keys, in either direction:
 * both sides of a foreign key must contain the same text. Composite, cyclic and self references are followed.
 *
 * @throws MigrationError when a column is connected with columns of two types.
 */
export function followReferences(
  named: readonly Omit<TypedColumn, 'isNamed'>[],
  references: readonly Reference[],
): TypedColumn[] {
  const neighbours = new Map<string, { table: string; column: string }[]>()
  const connect = (table: string, column: string, other: { table: string; column: string }) => {
    const key = keyOf(table, column)
    neighbours.set(key, [...(neighbours.get(key) ?? []), other])
  }
  for (const { table, columns, parent, parentColumns } of references) {
    columns.forEach((column, i) => {
      const parentColumn = parentColumns[i] as string
      connect(table, column, { table: parent, column: parentColumn })
      connect(parent, parentColumn, { table, column })
    })
  }
  const found = new Map<string, TypedColumn>()
  const waiting: TypedColumn[] = named.map((column) => ({ ...column, isNamed: true }))
  for (const next of waiting) {
    const key = keyOf(next.table, next.column)
    const known = found.get(key)
    if (known && known.prefix !== next.prefix)
      throw new MigrationError(
        `${next.table}.${next.column} would get two types by its foreign keys: ${known.prefix} and ${next.prefix}`,
      )
    if (known) continue
    found.set(key, next)
    for (const other of neighbours.get(key) ?? [])
      waiting.push({ ...other, prefix: next.prefix, isNamed: false })
  }
  return [...found.values()]
}

const keyOf = (table: string, column: string) => JSON.stringify([table, column])

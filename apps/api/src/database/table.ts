/** A table, with the facts about its columns that `copy`, the queries and the tests need. */
export interface TableShape {
  readonly name: string
  /** The columns of the primary key. */
  readonly key: readonly string[]
  readonly columns: readonly string[]
  /** The boolean columns, which SQLite stores as 0 and 1. */
  readonly booleans: readonly string[]
  /** The kind of each column, as `kindsFor` names it in migrations. */
  readonly kinds: Readonly<Record<string, string>>
}

type Kind<T> = T extends boolean
  ? 'boolean'
  : T extends number
    ? 'integer'
    : 'id' | 'reference' | 'reference in key' | 'text' | 'time'

/** The kinds of column that can contain values of a type. */
type KindOf<T> = null extends T ? `${Kind<NonNullable<T>>} or null` : Kind<T>

/**
 * Returns the shapes of tables whose row types are `Tables`.
 *
 * @example
 * tablesOf<{ teams: { id: TeamId; name: string } }>({ teams: { id: 'id', name: 'text' } })
 */
export function tablesOf<Tables>(
  kinds: {
    readonly [Name in keyof Tables]: { readonly [Column in keyof Tables[Name]]: KindOf<Tables[Name][Column]> }
  },
): readonly TableShape[] {
  return Object.entries<Record<string, string>>(kinds as Record<string, Record<string, string>>).map(
    ([name, kinds]) => {
      const columns = Object.keys(kinds)
      const columnsOf = (pattern: RegExp) => columns.filter((column) => pattern.test(kinds[column] ?? ''))
      return { name, columns, kinds, key: columnsOf(/^id$| in key$/), booleans: columnsOf(/^boolean/) }
    },
  )
}

/** A table and the columns of its primary key. */
export interface TableShape {
  readonly name: string
  readonly key: readonly string[]
}

/**
 * Returns the tables whose row types are `Tables`, in the order of their declaration. A missing table does not compile.
 *
 * @example
 * tablesOf<{ teams: { id: TeamId; name: string } }>({ teams: ['id'] })
 */
export const tablesOf = <Tables>(
  keys: {
    readonly [Name in keyof Tables]: readonly (keyof Tables[Name] & string)[]
  },
): readonly TableShape[] => Object.entries<readonly string[]>(keys).map(([name, key]) => ({ name, key }))

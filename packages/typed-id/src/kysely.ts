import { type ColumnType, type RawBuilder, sql } from 'kysely'
import { patternToGlob, postgresConditions } from './core/column-check.ts'
import type { IdOf, IdType } from './core/types.ts'

export { type IdColumns, idPlugin } from './kysely/plugin.ts'

/** The type of a column with the ids of a type, which cannot be updated: `{ id: IdColumn<typeof UserId> }`. */
export type IdColumn<T extends { readonly prefix: string }> = ColumnType<IdOf<T>, IdOf<T>, never>

/**
 * Returns a condition for a CHECK constraint: a text column contains a standard id of a type. It is derived from the
 * pattern of the type, so the database accepts the same strings as `type.is`. Like every CHECK, it accepts NULL.
 *
 * On MySQL and MariaDB the column must be declared `character set ascii collate ascii_bin`: other collations ignore case.
 *
 * @see https://www.sqlite.org/lang_expr.html#glob
 * @see https://www.postgresql.org/docs/current/functions-matching.html
 * @see https://dev.mysql.com/doc/refman/8.4/en/regexp.html
 * @example
 * .addColumn('id', 'text', (column) => column.primaryKey().check(idCheck(UserId, 'id', 'sqlite')))
 * // check ("id" glob 'user-[0-9a-f][0-9a-f]…' and length(cast("id" as blob)) = 41)
 */
export function idCheck(
  type: IdType<string>,
  column: string,
  engine: 'sqlite' | 'postgres' | 'mysql',
): RawBuilder<boolean> {
  const name = sql.ref(column)
  const length = sql.lit(type.example.length)
  if (engine === 'postgres') {
    const conditions = postgresConditions(type).map((condition) => sql`${name} ${sql.raw(condition)}`)
    return sql`${sql.join(conditions, sql` and `)}`
  }
  // The length, because $ also matches before a line break at the end.
  if (engine === 'mysql') return sql`${name} regexp ${sql.lit(type.pattern)} and length(${name}) = ${length}`
  // GLOB and length() ignore everything after a NUL character. The length in bytes includes it.
  return sql`${name} glob ${sql.lit(patternToGlob(type.pattern))} and length(cast(${name} as blob)) = ${length}`
}

import { type ColumnType, type RawBuilder, sql } from 'kysely'
import type { IdOf, IdType } from './index.ts'

/** A column for the ids of a type that is written once: `{ id: IdColumn<typeof UserId> }`. */
export type IdColumn<T extends { readonly prefix: string }> = ColumnType<IdOf<T>, IdOf<T>, never>

/**
 * Returns the condition that a text column holds standard ids of a type, for a CHECK constraint. It is written from
 * the pattern of the type, so that the database takes what `type.is` takes. Like every CHECK it lets NULL pass.
 *
 * @see https://www.sqlite.org/lang_expr.html#glob
 * @see https://www.postgresql.org/docs/current/functions-matching.html
 * @example
 * .addColumn('id', 'text', (column) => column.primaryKey().check(idCheck(UserId, 'id', 'sqlite')))
 * // check ("id" glob 'user-[0-9a-f][0-9a-f]…' and length(cast("id" as blob)) = 41)
 */
export function idCheck(
  type: IdType<string>,
  column: string,
  engine: 'sqlite' | 'postgres',
): RawBuilder<boolean> {
  const name = sql.ref(column)
  if (engine === 'postgres') return sql`${name} ~ ${sql.lit(type.pattern)}`
  // GLOB and length() stop at a NUL, the bytes go on behind it.
  return sql`${name} glob ${sql.lit(globOf(type.pattern))} and length(cast(${name} as blob)) = ${sql.lit(type.example.length)}`
}

/** GLOB is anchored and knows sets of characters, but no repetition. */
function globOf(pattern: string): string {
  return pattern
    .slice(1, -1)
    .replace(/(\[[^\]]+\])\{(\d+)\}/g, (_, set: string, times: string) => set.repeat(Number(times)))
}

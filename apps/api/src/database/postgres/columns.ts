import { sql } from 'kysely'
import pg from 'pg'
import { type ColumnTypes, maxLength } from '../columns.ts'

export const columns: ColumnTypes = {
  text: sql`text collate "C"`,
  boolean: sql`boolean`,
  time: sql`timestamptz(3)`,
  // Must not change, because released migrations call it. `idCheck` of typed-id/kysely accepts the same ids in 0.8 µs
  // instead of 3.1 µs, but that gain is not worth the locks of a migration.
  isId: (column, type) => sql`${sql.ref(column)} ~ ${sql.lit(type.pattern)}`,
  atMost: maxLength,
  isBoolean: (column) => sql`${sql.ref(column)} in (false, true)`,
  isTime: (column) =>
    sql`${sql.ref(column)} >= '0001-01-01T00:00:00Z' and ${sql.ref(column)} < '10000-01-01T00:00:00Z'`,
  options: sql``,
  // The lock that UPDATE takes. Unlike FOR UPDATE, it permits new references to the row.
  lockRows: (table) => sql`for no key update of ${sql.ref(table)}`,
}

/** Reads a time as `Date.toISOString()` writes it, whatever the time zone of the session. */
export const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    const parse = pg.types.getTypeParser(oid, format)
    return oid === pg.types.builtins.TIMESTAMPTZ ? (text: string) => parse(text).toISOString() : parse
  },
}

import { sql } from 'kysely'
import { type ColumnTypes, maxLength } from '../columns.ts'

export const columns: ColumnTypes = {
  text: sql`text collate "C"`,
  // Must not change, because released migrations call it. `idCheck` of typed-id/kysely accepts the same ids in 0.8 µs
  // instead of 3.1 µs, but that gain is not worth the locks of a migration.
  isId: (column, type) => sql`${sql.ref(column)} ~ ${sql.lit(type.pattern)}`,
  atMost: maxLength,
  options: sql``,
  // The lock that UPDATE takes. Unlike FOR UPDATE, it permits new references to the row.
  lockRows: (table) => sql`for no key update of ${sql.ref(table)}`,
}

import { sql } from 'kysely'
import { idCheck } from 'typed-id/kysely'
import { type ColumnTypes, maxLength } from '../columns.ts'

export const columns: ColumnTypes = {
  text: sql`text collate "C"`,
  isId: (column, type) => idCheck(type, column, 'postgres'),
  atMost: maxLength,
  options: sql``,
}

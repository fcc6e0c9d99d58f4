import { SqliteAdapter, sql } from 'kysely'
import { idCheck } from 'typed-id/kysely'
import { type ColumnTypes, maxLength } from '../columns.ts'

const columns: ColumnTypes = {
  text: sql`text`,
  boolean: sql`integer`,
  time: sql`text`,
  isId: (column, type) => idCheck(type, column, 'sqlite'),
  atMost: maxLength,
  isBoolean: (column) => sql`${sql.ref(column)} in (0, 1)`,
  // IS instead of =: a CHECK accepts null, and strftime() returns null for an invalid time.
  isTime: (column) => sql`${sql.ref(column)} is strftime('%Y-%m-%dT%H:%M:%fZ', ${sql.ref(column)})`,
  // SQLite enforces column types in STRICT tables only. WITHOUT ROWID stores the rows in the tree of the primary key.
  options: sql`strict, without rowid`,
  lockRows: () => sql``, // no lock, because one transaction writes at a time
}

export class ColumnsAdapter extends SqliteAdapter {
  readonly columns = columns
}

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
  // IS, because a CHECK accepts null, which strftime() returns for what is no time.
  isTime: (column) => sql`${sql.ref(column)} is strftime('%Y-%m-%dT%H:%M:%fZ', ${sql.ref(column)})`,
  // SQLite enforces column types in STRICT tables only. WITHOUT ROWID stores the rows in the tree of the primary key.
  options: sql`strict, without rowid`,
  lockRows: () => sql``, // one transaction writes at a time
}

export class ColumnsAdapter extends SqliteAdapter {
  readonly columns = columns
}

import { SqliteAdapter, sql } from 'kysely'
import { idCheck } from 'typed-id/kysely'
import { type ColumnTypes, maxLength } from '../columns.ts'

const columns: ColumnTypes = {
  text: sql`text`,
  isId: (column, type) => idCheck(type, column, 'sqlite'),
  atMost: maxLength,
  // SQLite enforces column types in STRICT tables only. WITHOUT ROWID stores the rows in the tree of the primary key.
  options: sql`strict, without rowid`,
}

export class ColumnsAdapter extends SqliteAdapter {
  readonly columns = columns
}

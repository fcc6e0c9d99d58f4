import type Sqlite from 'better-sqlite3'

const PREPARED_LIMIT = 500

export type Prepare = (sql: string) => Sqlite.Statement<unknown[]>

export function preparing(db: Sqlite.Database): Prepare {
  const prepared = new Map<string, Sqlite.Statement<unknown[]>>()
  return (sql) => {
    let statement = prepared.get(sql)
    if (statement) return statement
    if (prepared.size >= PREPARED_LIMIT) prepared.clear()
    statement = db.prepare<unknown[]>(sql)
    prepared.set(sql, statement)
    return statement
  }
}

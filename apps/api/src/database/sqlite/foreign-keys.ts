import type Sqlite from 'better-sqlite3'
import type { Statement } from '../database.ts'

/**
 * Returns the name of the foreign key that an INSERT or UPDATE violated, or undefined when none is found.
 *
 * SQLite reports that a foreign key failed, but not which one. This function looks up the parent row of each foreign
 * key of the table, by the parameter that has the name of the column. It runs in the transaction of the failed
 * statement, so the rows are the ones that the statement saw. The name is PostgreSQL's default.
 */
export function findViolatedForeignKey(
  connection: Sqlite.Database,
  { sql, parameters = [] }: Statement,
  values: readonly unknown[],
): string | undefined {
  const [, table] = /^(?:insert into|update) "(\w+)"/.exec(sql) ?? []
  if (table === undefined) return undefined
  const keys = connection.pragma(`foreign_key_list("${table}")`) as {
    table: string
    from: string
    to: string
  }[]
  const violated = keys.find(({ table: parent, from, to }) => {
    const value = values[parameters.indexOf(from)] ?? null
    return value !== null && !connection.prepare(`select 1 from "${parent}" where "${to}" = ?`).get(value)
  })
  return violated && `${table}_${violated.from}_fkey`
}

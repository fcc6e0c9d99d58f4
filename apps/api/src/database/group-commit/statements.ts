import { setTimeout as pause } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import type { QueryResult } from 'kysely'

const PREPARED_LIMIT = 500

/** Default maximum wait for the lock of another process, in milliseconds. */
export const TIMEOUT_MS = 5000

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

/**
 * Runs a statement. If the statement violates a constraint, the property
 * `constraint` of the error has the name of the constraint.
 */
export function run<R>(
  statement: Sqlite.Statement<unknown[]>,
  parameters: readonly unknown[],
): QueryResult<R> {
  try {
    if (statement.reader) return { rows: statement.all(parameters) as R[] }
    const { changes, lastInsertRowid } = statement.run(parameters)
    return {
      rows: [],
      numAffectedRows: BigInt(changes),
      insertId: BigInt(lastInsertRowid),
    }
  } catch (thrown) {
    const error = thrown as Error & { code: string }
    throw Object.assign(error, {
      constraint: constraintOf(statement, error, parameters),
    })
  }
}

/**
 * Repeats `work` while another process has locked the file, for `timeoutMs` at
 * most. SQLite's own wait (`busy_timeout`) would block the event loop.
 */
export async function waitForLock(
  work: () => void,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  for (
    const deadline = performance.now() + timeoutMs;
    ;
    await pause(1 + Math.random() * 10)
  )
    try {
      return work()
    } catch (error) {
      const { code } = error as { code?: string }
      if (!code?.startsWith('SQLITE_BUSY') || performance.now() > deadline)
        throw error
    }
}

/**
 * Returns the name that PostgreSQL gives to a violated constraint by default,
 * or undefined when none is found.
 *
 *   UNIQUE constraint failed: roles.name  roles_name_key
 *   UNIQUE constraint failed: teams.id    teams_pkey, by its own error code
 *   FOREIGN KEY constraint failed         users_team_id_fkey, by looking for the missing row
 */
function constraintOf(
  { database, source }: Sqlite.Statement<unknown[]>,
  { code, message }: { code: string; message: string },
  parameters: readonly unknown[],
): string | undefined {
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY')
    return violatedForeignKey(database, source, parameters)
  const [, table, columns] =
    /^UNIQUE constraint failed: (\w+)\.(.+)$/.exec(message) ?? []
  if (columns === undefined) return undefined
  if (code === 'SQLITE_CONSTRAINT_PRIMARYKEY') return `${table}_pkey`
  return `${table}_${columns.replaceAll(`, ${table}.`, '_')}_key`
}

type ForeignKey = Record<'child' | 'from' | 'parent' | 'to', string>

const FOREIGN_KEYS = `
  select t.name as child, f."from", f."table" as parent, coalesce(f."to", 'id') as "to"
  from pragma_table_list as t join pragma_foreign_key_list(t.name) as f`

/**
 * Returns the name of the violated foreign key, which SQLite does not report.
 * An INSERT or UPDATE violates the key whose parent row is missing. A DELETE
 * violates the key of child rows that still refer to the row.
 */
function violatedForeignKey(
  db: Sqlite.Database,
  sql: string,
  parameters: readonly unknown[],
) {
  const [, verb, table] =
    /^(insert into|update|delete from) "(\w+)"/.exec(sql) ?? []
  const values = columnValues(sql, parameters)
  const exists = (name: string, column: string, value: unknown) =>
    db.prepare(`select 1 from "${name}" where "${column}" = ?`).get(value) !==
    undefined
  const violated = (db.prepare(FOREIGN_KEYS).all() as ForeignKey[]).find(
    ({ child, from, parent, to }) => {
      if (verb === 'delete from')
        return parent === table && exists(child, from, values.get(to) ?? null)
      const value = child === table ? (values.get(from) ?? null) : null
      return value !== null && !exists(parent, to, value)
    },
  )
  return violated && `${violated.child}_${violated.from}_fkey`
}

/**
 * Returns the values of `("a", "b") values (+?, +?)` of an INSERT, and of `"a"
 * = +?` of an UPDATE or DELETE.
 */
function columnValues(
  sql: string,
  parameters: readonly unknown[],
): Map<string, unknown> {
  const insert = /^insert into "\w+" \(([^)]*)\) values \(([^)]*)\)/.exec(sql)
  const [columns = [], sources] =
    insert?.slice(1).map((list) => list.split(', ')) ?? []
  const pairs = insert
    ? columns.map((column, n) => `${column} = ${sources?.[n]}`).join()
    : sql
  let next = 0
  const values = [...pairs.matchAll(/(?:"(\w+)" = )?\+\?/g)].map(
    ([, column]) => [column ?? '', parameters[next++]] as const,
  )
  // SET comes before WHERE in an UPDATE, so the first value of a column counts.
  return new Map(values.reverse())
}

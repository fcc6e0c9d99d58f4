import type Sqlite from 'better-sqlite3'
import {
  type CompiledQuery,
  DeleteQueryNode,
  InsertQueryNode,
  ReturningNode,
  type RootOperationNode,
  SelectionNode,
  SqliteQueryCompiler,
  TableNode,
  UpdateQueryNode,
} from 'kysely'

export interface ForeignKey {
  readonly table: string
  readonly columns: readonly string[]
  readonly parent: string
  readonly parentColumns: readonly string[]
}

/**
 * Returns the violated foreign key, which SQLite's error does not name. Repeats
 * the statement with deferred checks, and searches for rows without a parent.
 */
export function findForeignKey<Key extends ForeignKey>(
  db: Sqlite.Database,
  query: CompiledQuery,
  keys: readonly Key[],
): Key | undefined {
  const table = tableOf(query.query)
  const isDelete = DeleteQueryNode.is(query.query)
  if (table === undefined) return undefined
  const candidates = keys.filter(
    (key) => (isDelete ? key.parent : key.table) === table,
  )
  const violated = new Set<Key>()
  db.exec('savepoint "violation"; pragma defer_foreign_keys = on')
  try {
    for (const row of runAgain(db, query))
      for (const key of candidates)
        if (isViolated(db, key, row, isDelete)) violated.add(key)
  } finally {
    db.exec('rollback to "violation"; release "violation"')
    db.pragma('defer_foreign_keys = off')
  }
  const [first, another] = violated
  // Returns the key that PostgreSQL would report: the first that an insert or
  // update violates. For a delete, PostgreSQL's choice among several keys is
  // uncertain, so returns undefined.
  return isDelete && another ? undefined : first
}

type Row = Readonly<Record<string, unknown>>

function runAgain(
  db: Sqlite.Database,
  { query, queryId, parameters }: CompiledQuery,
): Row[] {
  const returning = ReturningNode.create([SelectionNode.createSelectAll()])
  const { sql } = new SqliteQueryCompiler().compileQuery(
    { ...query, returning } as RootOperationNode,
    queryId,
  )
  const statement = db.prepare<unknown[], Row>(sql).safeIntegers()
  return statement.all(parameters)
}

function isViolated(
  db: Sqlite.Database,
  { table, columns, parent, parentColumns }: ForeignKey,
  row: Row,
  isDelete: boolean,
): boolean {
  const [own, other, otherTable] = isDelete
    ? [parentColumns, columns, table]
    : [columns, parentColumns, parent]
  const values = own.map((column) => row[column])
  if (values.includes(null)) return false
  const conditions = other.map((column) => `${quote(column)} = ?`)
  const sql = `select 1 from main.${quote(otherTable)} where ${conditions.join(' and ')}`
  const isFound = db.prepare(sql).get(values) !== undefined
  return isFound === isDelete
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

function tableOf(query: RootOperationNode): string | undefined {
  const target = InsertQueryNode.is(query)
    ? query.into
    : UpdateQueryNode.is(query)
      ? query.table
      : DeleteQueryNode.is(query)
        ? query.from.froms[0]
        : undefined
  return target && TableNode.is(target) && !target.table.schema
    ? target.table.identifier.name
    : undefined
}

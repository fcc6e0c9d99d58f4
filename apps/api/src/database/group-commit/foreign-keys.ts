import type Sqlite from 'better-sqlite3'
import {
  AliasNode,
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

interface ForeignKey {
  /** SQLite's number of this foreign key in its table. */
  readonly id: number
  readonly table: string
  readonly columns: readonly string[]
  readonly parent: string
  readonly parentColumns: readonly string[]
}

/**
 * Selects all foreign keys in the order of creation, in which PostgreSQL checks
 * them. A foreign key that names no columns of its parent table refers to the
 * primary key.
 */
const FOREIGN_KEYS = `
  select f.id, s.name as "table", f."table" as parent,
    json_group_array(f."from" order by f.seq) as columns,
    iif(f."to" is null,
      (select json_group_array(name order by pk) from pragma_table_info(f."table", 'main') where pk > 0),
      json_group_array(f."to" order by f.seq)) as parentColumns
  from main.sqlite_schema as s join pragma_foreign_key_list(s.name, 'main') as f
  where s.type = 'table' group by s.rowid, f.id order by s.rowid, f.id desc`

/**
 * Returns the foreign key that a statement has violated, or undefined if the
 * foreign key is uncertain. Runs the statement again in a savepoint with
 * deferred checks. Then looks for new rows without a parent row, and for rows
 * whose parent row is gone.
 */
export function findForeignKey(
  db: Sqlite.Database,
  query: CompiledQuery,
): ForeignKey | undefined {
  const table = tableOf(query.query)
  if (table === undefined || !db.inTransaction) return undefined
  const keys = readForeignKeys(db)
  const isTable = (name: string) => name.toLowerCase() === table.toLowerCase()
  const ownKeys = keys.filter((key) => isTable(key.table))
  const keysToTable = keys.filter((key) => isTable(key.parent))
  const findViolated = () => keysToTable.filter((key) => isViolated(db, key))
  let violated: ForeignKey[]
  const wasDeferred = db.pragma('defer_foreign_keys', { simple: true })
  db.exec('savepoint "violation"; pragma defer_foreign_keys = on')
  try {
    const rows = runAgain(db, query)
    // Checks inserted and updated rows one by one, as PostgreSQL does, so that
    // SQLite and PostgreSQL report the same foreign key.
    if (!DeleteQueryNode.is(query.query))
      for (const row of rows)
        for (const key of ownKeys) if (lacksParent(db, key, row)) return key
    violated = findViolated()
  } finally {
    if (db.inTransaction)
      db.exec('rollback to "violation"; release "violation"')
    if (!wasDeferred) db.pragma('defer_foreign_keys = off')
  }
  const [key, another] = violated
  // Returns undefined if several foreign keys are violated, or if one still is
  // after the rollback of the statement.
  return another || findViolated().length > 0 ? undefined : key
}

function readForeignKeys(db: Sqlite.Database): ForeignKey[] {
  const rows = db.prepare(FOREIGN_KEYS).all() as (ForeignKey & {
    columns: string
    parentColumns: string
  })[]
  return rows.map((row) => ({
    ...row,
    columns: JSON.parse(row.columns),
    parentColumns: JSON.parse(row.parentColumns),
  }))
}

const isViolated = (db: Sqlite.Database, { table, id }: ForeignKey): boolean =>
  db
    .prepare("select 1 from pragma_foreign_key_check(?, 'main') where fkid = ?")
    .get(table, id) !== undefined

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
  // Without safe integers, numbers above 2^53 would lose digits.
  const statement = db.prepare<unknown[], Row>(sql).safeIntegers()
  return statement.all(parameters)
}

function lacksParent(
  db: Sqlite.Database,
  { columns, parent, parentColumns }: ForeignKey,
  row: Row,
): boolean {
  const values = columns.map((column) => row[column])
  if (values.includes(null)) return false
  const conditions = parentColumns.map((column) => `${quote(column)} = ?`)
  const sql = `select 1 from main.${quote(parent)} where ${conditions.join(' and ')}`
  return db.prepare(sql).get(values) === undefined
}

export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

function tableOf(query: RootOperationNode): string | undefined {
  const target = InsertQueryNode.is(query)
    ? query.into
    : UpdateQueryNode.is(query)
      ? query.table
      : DeleteQueryNode.is(query)
        ? query.from.froms[0]
        : undefined
  const table = target && AliasNode.is(target) ? target.node : target
  if (table === undefined || !TableNode.is(table)) return undefined
  const { schema, identifier } = table.table
  return schema === undefined || schema.name === 'main'
    ? identifier.name
    : undefined
}

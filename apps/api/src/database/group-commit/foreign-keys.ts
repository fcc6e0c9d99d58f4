import type Sqlite from 'better-sqlite3'
import {
  AliasNode,
  type CompiledQuery,
  createQueryId,
  DeleteQueryNode,
  FromNode,
  InsertQueryNode,
  type OperationNode,
  ReturningNode,
  type RootOperationNode,
  SelectionNode,
  SqliteQueryCompiler,
  TableNode,
  UpdateQueryNode,
} from 'kysely'
import { type Prepare, preparing } from './prepare.ts'

/** Some columns of a table. */
export interface Key {
  readonly table: string
  readonly columns: readonly string[]
}

interface ForeignKey {
  readonly child: Key
  readonly parent: Key
  readonly isRestrict: boolean
}

/** The values of a row by the names of its columns in lower case. */
type Row = ReadonlyMap<string, unknown>

/**
 * All foreign keys, in the order of their creation, in which PostgreSQL checks
 * them. Without columns of the parent, a key refers to its primary key.
 */
const FOREIGN_KEYS = `
  select s.name as child, f."table" as parent, f.on_delete = 'RESTRICT' as isRestrict,
    json_group_array(f."from" order by f.seq) as childColumns,
    iif(f."to" is null,
      (select json_group_array(name order by pk) from pragma_table_info(f."table", 'main') where pk > 0),
      json_group_array(f."to" order by f.seq)) as parentColumns
  from main.sqlite_schema as s join pragma_foreign_key_list(s.name, 'main') as f
  where s.type = 'table' group by s.rowid, f.id order by s.rowid, f.id desc`

/**
 * Returns the foreign key that a statement of Kysely has violated, or undefined
 * when it is not certain. Runs the statement again in a savepoint, with checks
 * deferred, and looks for the parents of its new rows and for children of its
 * old ones, so that the time depends on the number of these rows.
 */
export function findForeignKey(
  db: Sqlite.Database,
  query: CompiledQuery,
): Key | undefined {
  const table = tableOf(query.query)
  if (table === undefined || !db.inTransaction) return undefined
  const keys = readForeignKeys(db)
  const prepare = preparing(db)
  const ofTable = (end: 'child' | 'parent') =>
    keys.filter((key) => isSameName(key[end].table, table))
  const old = ofTable('parent').length > 0 ? readOldRows(db, query) : []
  const wasDeferred = db.pragma('defer_foreign_keys', { simple: true })
  db.exec('savepoint "violation"; pragma defer_foreign_keys = on')
  try {
    const created = runAgain(db, query)
    return (
      findKey(created, ofTable('child'), (row, { child, parent }) => {
        const values = valuesOf(row, child)
        return !values.includes(null) && !hasRow(prepare, parent, values)
      }) ??
      findKey(old, ofTable('parent'), (row, { child, parent }) => {
        const values = valuesOf(row, parent)
        return (
          !hasRow(prepare, parent, values) && hasRow(prepare, child, values)
        )
      })
    )
  } catch (error) {
    // Only RESTRICT is not deferred. It rejects each DELETE of a row that has
    // a child.
    if (!DeleteQueryNode.is(query.query)) throw error
    return findKey(old, ofTable('parent'), (row, key) => {
      const isSelf = isSameName(key.child.table, table)
      const values = valuesOf(row, key.parent)
      return key.isRestrict && !isSelf && hasRow(prepare, key.child, values)
    })
  } finally {
    if (db.inTransaction)
      db.exec('rollback to "violation"; release "violation"')
    if (!wasDeferred) db.pragma('defer_foreign_keys = off')
  }
}

/** PostgreSQL checks row by row. */
function findKey(
  rows: readonly Row[],
  keys: readonly ForeignKey[],
  isViolated: (row: Row, key: ForeignKey) => boolean,
): Key | undefined {
  for (const row of rows)
    for (const key of keys) if (isViolated(row, key)) return key.child
  return undefined
}

function readForeignKeys(db: Sqlite.Database): ForeignKey[] {
  const rows = db.prepare(FOREIGN_KEYS).all() as {
    child: string
    childColumns: string
    parent: string
    parentColumns: string
    isRestrict: number
  }[]
  return rows.map(({ child, childColumns, parent, parentColumns, ...row }) => ({
    child: { table: child, columns: JSON.parse(childColumns) },
    parent: { table: parent, columns: JSON.parse(parentColumns) },
    isRestrict: row.isRestrict === 1,
  }))
}

/**
 * Returns the rows that an UPDATE or DELETE would change, or none when a part
 * of the statement other than its condition could select them.
 */
function readOldRows(
  db: Sqlite.Database,
  { query, parameters }: CompiledQuery,
): Row[] {
  if (!UpdateQueryNode.is(query) && !DeleteQueryNode.is(query)) return []
  const { where, orderBy, limit } = query
  const plain = UpdateQueryNode.is(query)
    ? { kind: query.kind, table: query.table, updates: query.updates }
    : { kind: query.kind, from: query.from }
  const statement = compile({ ...plain, where, orderBy, limit })
  const { sql } = compile({ ...query, returning: undefined })
  if (sql !== statement.sql) return []
  const from = FromNode.create([targetOf(query) as OperationNode])
  const selections = [SelectionNode.createSelectAll()]
  const select = { kind: 'SelectQueryNode', from, selections }
  const selected = compile({ ...select, where, orderBy, limit })
  // The parameters of the condition are the last ones.
  const end = statement.parameters.length
  const start = end - selected.parameters.length
  return all(db, selected.sql, parameters.slice(start, end))
}

/** Returns the rows that an INSERT or UPDATE writes. */
function runAgain(
  db: Sqlite.Database,
  { query, sql, parameters }: CompiledQuery,
): Row[] {
  if (DeleteQueryNode.is(query)) {
    const statement = db.prepare<unknown[]>(sql)
    if (statement.reader) statement.all(parameters)
    else statement.run(parameters)
    return []
  }
  const returning = ReturningNode.create([SelectionNode.createSelectAll()])
  return all(db, compile({ ...query, returning }).sql, parameters)
}

const compile = (node: object) =>
  new SqliteQueryCompiler().compileQuery(
    node as RootOperationNode,
    createQueryId(),
  )

function all(
  db: Sqlite.Database,
  sql: string,
  parameters: readonly unknown[],
): Row[] {
  // Numbers above 2^53 would lose digits.
  const statement = db.prepare<unknown[], object>(sql).safeIntegers()
  return statement
    .all(parameters)
    .map(
      (row) =>
        new Map(
          Object.entries(row).map(([name, value]) => [
            name.toLowerCase(),
            value,
          ]),
        ),
    )
}

const valuesOf = (row: Row, { columns }: Key): unknown[] =>
  columns.map((column) => row.get(column.toLowerCase()))

const hasRow = (
  prepare: Prepare,
  { table, columns }: Key,
  values: unknown[],
): boolean =>
  prepare(
    `select 1 from main.${quoted(table)} where ${columns
      .map((column) => `${quoted(column)} = ?`)
      .join(' and ')}`,
  ).get(values) !== undefined

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

const isSameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** Returns the node of the table that a statement writes, with its alias. */
const targetOf = (query: RootOperationNode): OperationNode | undefined =>
  InsertQueryNode.is(query)
    ? query.into
    : UpdateQueryNode.is(query)
      ? query.table
      : DeleteQueryNode.is(query)
        ? query.from.froms[0]
        : undefined

/** Returns the name of the table that a statement writes. */
function tableOf(query: RootOperationNode): string | undefined {
  const target = targetOf(query)
  const table = target && AliasNode.is(target) ? target.node : target
  if (table === undefined || !TableNode.is(table)) return undefined
  const { schema, identifier } = table.table
  return schema === undefined || schema.name === 'main'
    ? identifier.name
    : undefined
}

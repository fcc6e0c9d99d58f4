import type { Arguments } from '../arguments.ts'
import { followReferences, type Reference } from '../closure.ts'
import { MigrationError } from '../error.ts'
import type { Catalogue, Table } from './catalogue.ts'
import { query, type Row, type Session } from './connect.ts'

/** Reads the columns to convert. Throws for an unknown table or column. SQLite compares names without case. */
export function readCatalogue(session: Session, { types }: Arguments): Catalogue {
  const tables = query(session, `select name, sql from sqlite_schema where type = 'table'`)
  const columnsOf = (table: string) => query(session, 'select * from pragma_table_info(?)', table)
  const find = (rows: Row[], name: string) =>
    rows.find((row) => row.name.toLowerCase() === name.toLowerCase())?.name as string | undefined

  const named = types.map(({ table: names, column: name, prefix }) => {
    const table = names.length === 1 ? find(tables, names[0] as string) : undefined
    if (table === undefined) throw new MigrationError(`unknown table ${names.join('.')}`)
    const column = find(columnsOf(table), name)
    if (column === undefined) throw new MigrationError(`unknown column ${name} of ${table}`)
    return { table, column, prefix }
  })

  const references = tables.flatMap(({ name: table }) =>
    readReferences(session, table, columnsOf, find, tables),
  )
  const typed = followReferences(named, references)
  const names = [...new Set(typed.map(({ table }) => table))].sort()
  return {
    tables: names.map((name): Table => {
      const columns = columnsOf(name)
      return {
        name,
        sql: tables.find((table) => table.name === name)?.sql,
        columns: columns.flatMap((column) => {
          const match = typed.find((t) => t.table === name && t.column === column.name)
          const { type, dflt_value: expression } = column
          return match
            ? [{ name: column.name, type, default: expression, prefix: match.prefix, isNamed: match.isNamed }]
            : []
        }),
        allColumns: columns.map((column) => column.name),
        primaryKey: columns.filter(({ pk }) => pk > 0).map((column) => column.name),
        indexes: query(
          session,
          `select sql from sqlite_schema where type = 'index' and sql is not null and tbl_name = ? collate nocase`,
          name,
        ).map((index) => index.sql),
        triggers: query(
          session,
          `select name, sql from sqlite_schema where type = 'trigger' and tbl_name = ? collate nocase`,
          name,
        ) as unknown as Table['triggers'],
      }
    }),
  }
}

/** A foreign key without columns of the parent refers to its primary key. One to a missing table refers to nothing. */
function readReferences(
  session: Session,
  table: string,
  columnsOf: (table: string) => Row[],
  find: (rows: Row[], name: string) => string | undefined,
  tables: Row[],
): Reference[] {
  const rows = query(session, 'select * from pragma_foreign_key_list(?) order by id, seq', table)
  return [...new Set(rows.map(({ id }) => id))].flatMap((id) => {
    const key = rows.filter((row) => row.id === id)
    const parent = find(tables, key[0]?.table)
    if (parent === undefined) return []
    const columns = columnsOf(parent)
    const primaryKey = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
    const own = columnsOf(table)
    return [
      {
        table,
        parent,
        columns: key.map(({ from }) => find(own, from) as string),
        parentColumns: key.map(
          ({ to }, i) => (to === null ? primaryKey[i]?.name : find(columns, to)) as string,
        ),
      },
    ]
  })
}

import { CompiledQuery } from 'kysely'
import { describe, expect, inject } from 'vitest'
import type { OpenDatabase } from '../../src/open-database.ts'
import { PROFILES } from '../../src/profiles.ts'
import { test } from '../support/http-fixture.ts'

const isPostgres = inject('engine') === 'postgres'

const tables = [...PROFILES.a.tables, 'user_roles']

describe.each(tables)('the table %s', (name) => {
  test('has text columns only, each of which is checked or refers to one that is', async ({ database }) => {
    const columns = await (isPostgres ? postgresColumns : sqliteColumns)(database, name)
    expect(columns.length).toBeGreaterThan(1)
    for (const column of columns)
      expect(column).toMatchObject({ type: 'text', checked: true, ...(isPostgres && { collation: 'C' }) })
  })

  test.skipIf(isPostgres)('is strict, and without rowid', async ({ database }) => {
    expect(await definitionOf(database, name)).toMatch(/\) strict, without rowid$/)
  })
})

test('has no other table', async ({ database }) => {
  const found = await database.db.introspection.getTables()
  expect(found.map(({ name }) => name).sort()).toEqual(tables.toSorted())
})

type Row = Record<string, unknown>

const rowsOf = async ({ db }: OpenDatabase, sql: string) =>
  (await db.executeQuery<Row>(CompiledQuery.raw(sql))).rows

async function definitionOf(database: OpenDatabase, table: string): Promise<string> {
  const [row] = await rowsOf(database, `select sql from sqlite_master where name = '${table}'`)
  return String(row?.sql)
}

async function sqliteColumns(database: OpenDatabase, table: string) {
  const definition = await definitionOf(database, table)
  const rows = await rowsOf(
    database,
    `select c.name as "column", lower(c.type) as type,
            exists (select 1 from pragma_foreign_key_list('${table}') f where f."from" = c.name) as refers
     from pragma_table_info('${table}') c`,
  )
  return rows.map(({ column, type, refers }) => ({
    column,
    type,
    checked: refers === 1 || new RegExp(`"${column}" ${type}[^,]*? check \\(`).test(definition),
  }))
}

const postgresColumns = (database: OpenDatabase, table: string) =>
  rowsOf(
    database,
    `select a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
            exists (select from pg_constraint k where k.conrelid = a.attrelid and k.contype in ('c', 'f')
                    and a.attnum = any (k.conkey)) as checked,
            c.collname as collation
     from pg_attribute a left join pg_collation c on c.oid = a.attcollation
     where a.attrelid = '${table}'::regclass and a.attnum > 0 and not a.attisdropped`,
  )

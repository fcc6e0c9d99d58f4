import { describe, expect, inject } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { tables } from '../../src/profile-a/store/schema.ts'
import { test } from '../support/http-fixture.ts'

const isPostgres = inject('engine') === 'postgres'

/** What a column of each kind is on the engines. A migration takes it from `kindsFor`. */
const KINDS: Record<string, { sqlite: string; postgres: string; collation: string | null }> = {
  text: { sqlite: 'text', postgres: 'text', collation: 'C' },
  integer: { sqlite: 'integer', postgres: 'integer', collation: null },
  boolean: { sqlite: 'integer', postgres: 'boolean', collation: null },
  time: { sqlite: 'text', postgres: 'timestamp(3) with time zone', collation: null },
}

/** The columns of each table by its declaration. Ids and references are text. */
const declared = tables.map(({ name, kinds, key }) => ({
  name,
  columns: Object.entries(kinds)
    .map(([column, kind]) => {
      const { sqlite, postgres, collation } = KINDS[kind.split(' ')[0] ?? ''] ?? KINDS.text ?? {}
      return {
        column,
        type: isPostgres ? postgres : sqlite,
        nullable: kind.endsWith(' or null'),
        inKey: key.includes(column),
        refers: kind.startsWith('reference'),
        // A column is checked, or it refers to one that is.
        checked: true,
        ...(isPostgres && { collation }),
      }
    })
    .sort((a, b) => (a.column < b.column ? -1 : 1)),
}))

describe.each(declared)('the table $name', ({ name, columns }) => {
  test('has the columns that `tables` declares, with their types, checks and NULL', async ({ database }) => {
    expect(await (isPostgres ? postgresColumns : sqliteColumns)(database, name)).toEqual(columns)
  })

  test.skipIf(isPostgres)('is strict, and without rowid', async ({ database }) => {
    expect(await definitionOf(database, name)).toMatch(/\) strict, without rowid$/)
  })
})

test('`tables`, of which `copy` copies the rows, has every table of the schema', async ({ database }) => {
  const found = await database.readSnapshot((tx) => tx.introspection.getTables())
  expect(found.map(({ name }) => name).sort()).toEqual(tables.map(({ name }) => name).sort())
})

type Row = Record<string, unknown>

const rowsOf = async (database: Database, sql: string) =>
  (await database.execute({ sql, name: '' }, [])) as Row[]

async function definitionOf(database: Database, table: string): Promise<string> {
  const [row] = await rowsOf(database, `select sql from sqlite_master where name = '${table}'`)
  return String(row?.sql)
}

async function sqliteColumns(database: Database, table: string) {
  const definition = await definitionOf(database, table)
  const rows = await rowsOf(
    database,
    `select c.name as "column", lower(c.type) as type, c."notnull" as required, c.pk,
            exists (select 1 from pragma_foreign_key_list('${table}') f where f."from" = c.name) as refers
     from pragma_table_info('${table}') c order by c.name`,
  )
  return rows.map(({ column, type, required, pk, refers }) => ({
    column,
    type,
    nullable: required === 0,
    inKey: Number(pk) > 0,
    refers: refers === 1,
    checked: refers === 1 || new RegExp(`"${column}" ${type}[^,]*? check \\(`).test(definition),
  }))
}

const postgresColumns = (database: Database, table: string) =>
  rowsOf(
    database,
    `select a.attname as column, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
            exists (select from pg_constraint k where k.conrelid = a.attrelid and k.contype = 'p'
                    and a.attnum = any (k.conkey)) as "inKey",
            exists (select from pg_constraint k where k.conrelid = a.attrelid and k.contype = 'f'
                    and a.attnum = any (k.conkey)) as refers,
            exists (select from pg_constraint k where k.conrelid = a.attrelid and k.contype in ('c', 'f')
                    and a.attnum = any (k.conkey)) as checked,
            c.collname as collation
     from pg_attribute a left join pg_collation c on c.oid = a.attcollation
     where a.attrelid = '${table}'::regclass and a.attnum > 0 and not a.attisdropped order by a.attname`,
  )

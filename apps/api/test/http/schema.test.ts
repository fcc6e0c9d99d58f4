import { describe, expect, inject } from 'vitest'
import { tables } from '../../src/profile-a/store/schema.ts'
import { test } from '../support/http-fixture.ts'

const isPostgres = inject('engine') === 'postgres'

/** A migration takes all of this from `columnsFor`; without it, everything works and the promise is lost silently. */
describe.each(tables)('the table $name', ({ name, key }) => {
  test.skipIf(isPostgres)('is strict, without rowid, and checks every text', async ({ database }) => {
    const [row] = (await database.execute(
      { sql: `select sql from sqlite_master where type = 'table' and name = '${name}'`, name: '' },
      [],
    )) as { sql: string }[]
    const sql = row?.sql ?? ''
    expect(sql).toMatch(/\) strict, without rowid$/)
    const columns = sql.match(/"\w+" text[^,]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\))*[^,]*/g) ?? []
    expect(columns.length).toBeGreaterThanOrEqual(key.length)
    for (const column of columns) expect(column).toMatch(/ check \(| references /)
  })

  test.runIf(isPostgres)('sorts every text by its bytes, and checks it', async ({ database }) => {
    const sql = `
      select a.attname as column, c.collname as collation,
             exists (select from pg_constraint k where k.conrelid = a.attrelid and k.contype in ('c', 'f')
                     and a.attnum = any (k.conkey)) as checked
      from pg_attribute a left join pg_collation c on c.oid = a.attcollation
      where a.attrelid = '${name}'::regclass and a.attnum > 0`
    const columns = (await database.execute({ sql, name: `columns of ${name}` }, [])) as {
      column: string
    }[]
    expect(columns).toEqual(columns.map(({ column }) => ({ column, collation: 'C', checked: true })))
  })
})

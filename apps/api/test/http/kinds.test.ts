import { sql } from 'kysely'
import { describe, expect, inject } from 'vitest'
import { kindsFor } from '../../src/database/columns.ts'
import { copyTables } from '../../src/database/copy.ts'
import { openDatabase } from '../../src/database/open.ts'
import { setPresent, wherePresent } from '../../src/database/present.ts'
import { queriesOn } from '../../src/database/query.ts'
import { tablesOf } from '../../src/database/table.ts'
import { databaseAt } from '../support/database.ts'
import { test as base } from '../support/http-fixture.ts'

const isPostgres = inject('engine') === 'postgres'

interface Tables {
  things: { id: number; flag: boolean; maybe: boolean | null; at: string; until: string | null }
}

const tables = tablesOf<Tables>({
  things: { id: 'integer', flag: 'boolean', maybe: 'boolean or null', at: 'time', until: 'time or null' },
}).map((table) => ({ ...table, key: ['id'] }))

const migrations = {
  '0001-things': {
    async up(db: Parameters<typeof kindsFor>[0]) {
      const { integer, boolean, time, options } = kindsFor(db)
      await db.schema
        .createTable('things')
        .addColumn(...integer('id', { min: 1, max: 9 }))
        .addColumn(...boolean('flag'))
        .addColumn(...boolean('maybe', { nullable: true }))
        .addColumn(...time('at'))
        .addColumn(...time('until', { nullable: true }))
        .addPrimaryKeyConstraint('things_pkey', ['id'])
        .modifyEnd(options)
        .execute()
    },
  },
}

const query = queriesOn<Tables>(tables)
const insert = query((db, p: Tables['things']) =>
  db
    .insertInto('things')
    .values({ id: p.id, flag: p.flag, maybe: p.maybe, at: p.at, until: p.until })
    .returning(['flag', 'maybe as perhaps', 'at']),
)
const all = query((db) => db.selectFrom('things').selectAll().orderBy('id'))
const find = query((db, p: { flag?: boolean; maybe?: boolean; at?: string }) =>
  db
    .selectFrom('things as t')
    .select(['t.id', 't.flag as is_set'])
    .where((eb) => wherePresent(eb, { 't.flag': p.flag, 't.maybe': p.maybe, 't.at': p.at }))
    .orderBy('t.id'),
)
const change = query((db, p: { id: number; maybe?: boolean | null; until?: string | null }) =>
  db
    .updateTable('things')
    .set((eb) => setPresent(eb, { maybe: p.maybe, until: p.until }))
    .where('id', '=', p.id)
    .returningAll(),
)

const NOON = '2026-11-23T12:00:00.123Z'
const ROWS: Tables['things'][] = [
  { id: 1, flag: true, maybe: null, at: NOON, until: null },
  { id: 2, flag: false, maybe: true, at: '0001-01-01T00:00:00.000Z', until: NOON },
  { id: 3, flag: true, maybe: false, at: '9999-12-31T23:59:59.999Z', until: NOON },
]

const test = base.extend('things', async ({ database }, { onCleanup }) => {
  onCleanup(() => database.exclusively((tx) => tx.schema.dropTable('things').ifExists().execute()))
  await database.exclusively((tx) => migrations['0001-things'].up(tx))
  await database.write(async (tx) => {
    for (const row of ROWS) await insert(tx, row)
  })
  return database
})

describe('a column of booleans, and one of times', () => {
  test('return what was stored, in every form of a query', async ({ things }) => {
    expect(await all(things)).toEqual(ROWS)
    const row = { id: 4, flag: false, maybe: true, at: NOON, until: null }
    expect(await things.write((tx) => insert(tx, row))).toEqual([{ flag: false, perhaps: true, at: NOON }])
    expect(await find(things, { at: NOON })).toEqual([
      { id: 1, is_set: true },
      { id: 4, is_set: false },
    ])
  })

  test.runIf(isPostgres)(
    'are read in the form of JSON whatever the time zone of the session',
    async ({ things }) => {
      const rows = await things.write(async (tx) => {
        await tx.execute({ sql: "set local time zone 'Asia/Kolkata'", name: '' }, [])
        return all(tx)
      })
      expect(rows).toEqual(ROWS)
    },
  )

  test.for<Record<string, unknown>>([
    { flag: 2 },
    { flag: null },
    { at: '' },
    { at: 'infinity' },
    { at: '2026-02-30T00:00:00.000Z' },
    { at: '10000-01-01T00:00:00.000Z' },
    { at: null },
    // PostgreSQL reads these as a time, and stores the time.
    ...(isPostgres ? [] : [{ at: 'now' }, { at: '2026-11-23' }, { at: '2026-11-23T12:00:00Z' }]),
  ])('reject %j', async (wrong, { things }) => {
    const row = { ...ROWS[0], id: 5, ...wrong } as Tables['things']
    await expect(things.write((tx) => insert(tx, row))).rejects.toThrow()
    expect(await all(things)).toEqual(ROWS)
  })
})

test('a column that may not be null is added to a table that has rows, with its default', async ({
  things,
}) => {
  const added = await things.exclusively(async (tx) => {
    const { boolean, integer } = kindsFor(tx)
    const add = tx.schema.alterTable('things')
    await add.addColumn(...boolean('seen', { default: true })).execute()
    await add.addColumn(...integer('size', { min: 1, max: 9, default: 4 })).execute()
    return tx.selectFrom('things').select(['id', 'size']).where('seen', '=', sql.lit(true)).execute()
  })
  expect(added).toEqual(ROWS.map(({ id }) => ({ id, size: 4 })))
})

describe('optional parameters', () => {
  test('filter by what is present, in every combination', async ({ things }) => {
    const ids = async (p: Parameters<typeof find>[1]) => (await find(things, p)).map(({ id }) => id)
    expect(await ids({})).toEqual([1, 2, 3])
    expect(await ids({ flag: true })).toEqual([1, 3])
    expect(await ids({ maybe: false })).toEqual([3])
    expect(await ids({ flag: true, at: NOON })).toEqual([1])
    expect(await ids({ flag: false, maybe: true, at: NOON })).toEqual([])
  })

  test('change what is present: null is stored, and what is absent is kept', async ({ things }) => {
    const changed = async (p: Parameters<typeof change>[1]) => (await things.write((tx) => change(tx, p)))[0]
    expect(await changed({ id: 2, until: null })).toEqual({ ...ROWS[1], until: null })
    expect(await changed({ id: 2 })).toEqual({ ...ROWS[1], until: null })
    expect(await changed({ id: 2, maybe: null, until: NOON })).toEqual({ ...ROWS[1], maybe: null })
    expect(await changed({ id: 9 })).toBeUndefined()
  })

  test('throw where a query cannot leave them out', async ({ things }) => {
    const broken = query((db, p: { id?: number }) =>
      db
        .selectFrom('things')
        .select('id')
        .where('id', '=', p.id as number),
    )
    await expect(async () => broken(things, {})).rejects.toThrow(
      'a query needs a parameter that is absent (id)',
    )
  })
})

test('copy stores the same rows in the other engine, and compares them', async ({ things }) => {
  const target = await openDatabase(databaseAt('sqlite::memory:'), migrations)
  const copied = await copyTables(things, target, tables, () => {})
  expect(copied.things).toMatchObject({ rows: 3 })
  expect(await all(target)).toEqual(ROWS)
  await target.close()
})

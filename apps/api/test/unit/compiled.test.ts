import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { CamelCasePlugin, type Expression, Kysely, SqliteDialect } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compiled, compiledForKeys } from '../../src/database/compiled.ts'
import { TeamId } from '../../src/ids.ts'
import type { Tables } from '../../src/profile-a/store/tables.ts'
import { createTeamStore } from '../../src/profile-a/store/teams.ts'

function twoSchemas() {
  const database = new Sqlite(':memory:')
  database.exec("attach ':memory:' as tenant_b")
  for (const schema of ['main', 'tenant_b'])
    database.exec(
      `create table ${schema}.teams (id text primary key, name text, made_by text)`,
    )
  const statements: string[] = []
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database }),
    log: ({ query }) => void statements.push(query.sql),
  })
  onTestFinished(() => db.destroy())
  return { db, statements }
}

describe('a store', () => {
  test('reads and writes the schema of its own database', async () => {
    const { db } = twoSchemas()
    const [a, b] = [
      createTeamStore(db),
      createTeamStore(db.withSchema('tenant_b')),
    ]
    const [inA, inB] = [
      await a.create({ name: 'in a' }),
      await b.create({ name: 'in b' }),
    ]
    expect(await a.find(inA.id)).toEqual(inA)
    expect(await a.find(inB.id)).toBeUndefined()
    expect(await b.find(inB.id)).toEqual(inB)
    expect(await b.list({ after: '', limit: 5 })).toEqual({
      items: [inB],
      hasMore: false,
    })
  })

  test('in a transaction is rolled back with it', async () => {
    const { db } = twoSchemas()
    const outside = createTeamStore(db)
    await outside.list({ after: '', limit: 5 })
    await expect(
      db.transaction().execute(async (tx) => {
        const { id } = await createTeamStore(tx).create({ name: 'x' })
        expect(await createTeamStore(tx).find(id)).toMatchObject({ id })
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect((await outside.list({ after: '', limit: 5 })).items).toEqual([])
  })

  test('reads the records of one turn of the event loop in statements of at most 128', async () => {
    const { db, statements } = twoSchemas()
    const { find } = createTeamStore(db)
    const reads = TeamId.generateMany(300).map((id) =>
      pause(1).then(() => find(id)),
    )
    await Promise.all(reads)
    expect(statements).toHaveLength(3)
  })

  test('compiles each query once', async () => {
    const { db, statements } = twoSchemas()
    let built = 0
    const select = compiled(db, (id: Expression<TeamId>) => {
      built += 1
      return db.selectFrom('teams').selectAll().where('id', '=', id)
    })
    for (const id of TeamId.generateMany(3)) await select(id)
    expect([built, new Set(statements).size]).toEqual([1, 1])
  })
})

test('a plugin applies to the queries of its own instance alone', async () => {
  const { db } = twoSchemas()
  const camel = (db as unknown as Kysely<CamelTables>).withPlugin(
    new CamelCasePlugin(),
  )
  const id = TeamId.generate()
  const insert = compiled(
    camel,
    (id: Expression<TeamId>, madeBy: Expression<string>) =>
      camel.insertInto('teams').values({ id, madeBy }),
  )
  await insert(id, 'Ada')
  const select = (on: Kysely<never>) =>
    compiled(on, (id: Expression<TeamId>) =>
      (on as unknown as Kysely<CamelTables>)
        .selectFrom('teams')
        .selectAll()
        .where('id', '=', id),
    )(id)
  expect(await select(camel as never)).toEqual([
    { id, name: null, madeBy: 'Ada' },
  ])
  expect(await select(db as never)).toEqual([
    { id, name: null, made_by: 'Ada' },
  ])
})

interface CamelTables {
  teams: { id: TeamId; name: string | null; madeBy: string | null }
}

test('a query with keys reads any number of them, with few statements', async () => {
  const { db, statements } = twoSchemas()
  const store = createTeamStore(db)
  const ids: TeamId[] = []
  for (let n = 0; n < 9; n += 1)
    ids.push((await store.create({ name: `${n}` })).id)
  const select = compiledForKeys(db, (keys: readonly Expression<TeamId>[]) =>
    db.selectFrom('teams').select('id').where('id', 'in', keys).orderBy('id'),
  )
  statements.length = 0
  for (let n = 0; n <= ids.length; n += 1)
    expect(await select(ids.slice(0, n))).toEqual(
      ids.slice(0, n).map((id) => ({ id })),
    )
  expect(statements).toHaveLength(9)
  expect(new Set(statements).size).toBe(5)
})

test('a builder cannot look at the value of an argument', () => {
  const { db } = twoSchemas()
  const id = TeamId.generate()
  compiled(db, (given: Expression<TeamId>) =>
    // @ts-expect-error an expression is never equal to a value
    given === id ? db.selectFrom('teams') : db.selectFrom('teams').selectAll(),
  )
  compiled(db, (given: Expression<TeamId>) =>
    db
      .selectFrom('teams')
      .selectAll()
      // @ts-expect-error an expression has no length
      .limit(given.length),
  )
  compiledForKeys(db, (keys: readonly Expression<TeamId>[]) =>
    db
      .selectFrom('teams')
      .selectAll()
      // @ts-expect-error a key is not a value either
      .where('id', '=', keys[0].slice(1)),
  )
})

import Sqlite from 'better-sqlite3'
import { type Expression, Kysely, SqliteDialect } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { compiled, compiledForKeys } from '../../src/database/compiled.ts'
import { TeamId } from '../../src/ids.ts'
import type { Tables } from '../../src/profile-a/store/tables.ts'

function openTeams() {
  const database = new Sqlite(':memory:')
  database.exec('create table teams (id text primary key, name text)')
  const statements: string[] = []
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database }),
    log: ({ query }) => void statements.push(query.sql),
  })
  onTestFinished(() => db.destroy())
  return { db, statements }
}

test('a query is compiled once', async () => {
  const { db, statements } = openTeams()
  let built = 0
  const select = compiled(db, (id: Expression<TeamId>) => {
    built += 1
    return db.selectFrom('teams').selectAll().where('id', '=', id)
  })
  for (const id of TeamId.generateMany(3)) await select(id)
  expect([built, new Set(statements).size]).toEqual([1, 1])
})

test('a query with keys reads any number of them, with few statements, each compiled once', async () => {
  const { db, statements } = openTeams()
  const ids = TeamId.generateMany(9)
  const rows = ids.map((id) => ({ id, name: '' }))
  await db.insertInto('teams').values(rows).execute()
  let built = 0
  const select = compiledForKeys(db, (keys: readonly Expression<TeamId>[]) => {
    built += 1
    return db
      .selectFrom('teams')
      .select('id')
      .where('id', 'in', keys)
      .orderBy('id')
  })
  statements.length = 0
  for (let n = 0; n <= ids.length; n += 1)
    expect(await select(ids.slice(0, n))).toEqual(
      ids.slice(0, n).map((id) => ({ id })),
    )
  expect(statements).toHaveLength(9)
  expect([built, new Set(statements).size]).toEqual([5, 5])
})

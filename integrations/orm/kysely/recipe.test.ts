import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { TeamId, UserId } from '../ids.ts'
import { createTables, createUser, listUsers, type Tables } from './recipe.ts'

test('Kysely: creates users, pages by id, and rejects ids of another type', async () => {
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new Sqlite(':memory:') }) })
  await createTables(db)
  const team_id = TeamId.generate()
  await db.insertInto('teams').values({ id: team_id, name: 'Engine' }).execute()
  const ada = await createUser(db, { name: 'Ada', team_id })
  const bob = await createUser(db, { name: 'Bob', team_id: null })
  expect(await listUsers(db, 1)).toEqual([ada])
  expect(await listUsers(db, 10, ada.id)).toEqual([bob])

  // @ts-expect-error: a team is not a user
  const wrong = db.insertInto('users').values({ id: team_id, name: 'Eve', team_id })
  await expect(wrong.execute()).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_CHECK' })
  // @ts-expect-error: a user is not a team
  db.selectFrom('users').where('team_id', '=', UserId.generate())
  await db.destroy()
})

import Sqlite from 'better-sqlite3'
import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { expect, expectTypeOf, test } from 'vitest'
import { teams, users } from '../src/drizzle.ts'
import { TeamId, UserId } from '../src/ids.ts'

test('Drizzle: ids are made by default, typed both ways, and checked when read', () => {
  const sqlite = new Sqlite(':memory:')
  sqlite.exec('create table teams (id text primary key, name text not null)')
  sqlite.exec('create table users (id text primary key, name text not null, teamId text references teams)')
  const db = drizzle(sqlite)

  const team = db.insert(teams).values({ name: 'Engine' }).returning().get()
  const ada = db.insert(users).values({ name: 'Ada', teamId: team.id }).returning().get()
  expectTypeOf(ada).toEqualTypeOf<{ id: UserId; name: string; teamId: TeamId | null }>()
  expect(UserId.is(ada.id) && TeamId.is(team.id)).toBe(true)
  expect(db.select().from(users).where(eq(users.id, ada.id)).all()).toEqual([ada])

  // @ts-expect-error: a team is not a user
  eq(users.id, team.id)
  sqlite.prepare('insert into users values (?, ?, null)').run('user-1', 'Eve')
  expect(() => db.select().from(users).all()).toThrow(expect.objectContaining({ code: 'malformed_standard' }))
})

import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idCodec } from '../../src/codec.ts'
import { defineId, type IdOf } from '../../src/index.ts'
import { type IdColumn, idPlugin } from '../../src/kysely.ts'
import { testConversion } from './convert-claims.ts'

const UserId = defineId('user')
const TeamId = defineId('team')
type TeamId = IdOf<typeof TeamId>

interface Tables {
  teams: { id: IdColumn<typeof TeamId>; name: string }
  users: { id: IdColumn<typeof UserId>; team_id: TeamId | null; name: string }
}

const [team, user] = ['0190163d-8694-739b-aea5-966c26f8ad91', '550e8400-e29b-41d4-a716-446655440000']

describe('PostgreSQL 18', () => {
  const server = testConversion()
  let pool: pg.Pool

  beforeAll(async () => {
    pool = new pg.Pool(server().connection)
    // The pool does not wait for the end of its connections, so the server may end them.
    pool.on('error', () => {})
    await pool.query(`
      create table teams (id uuid primary key default gen_random_uuid(), name text not null);
      create table users (id uuid primary key, team_id uuid references teams, name text not null);
      insert into teams values ('${team}', 'Engine');
      insert into users values ('${user}', '${team}', 'Ada')`)
  })
  afterAll(() => pool.end())

  test('Kysely with idPlugin reads and writes a table of uuids with rows', async () => {
    const plugin = idPlugin('uuid', { users: { id: UserId, team_id: TeamId }, teams: { id: TeamId } })
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [plugin] })
    const rows = await db
      .selectFrom('users')
      .innerJoin('teams', 'teams.id', 'users.team_id')
      .select(['users.id', 'users.team_id', 'teams.name'])
      .where('users.id', '=', UserId.fromUuid(user))
      .execute()
    expect(rows).toEqual([{ id: `user-${user}`, team_id: `team-${team}`, name: 'Engine' }])
    const id = UserId.generate()
    await db
      .insertInto('users')
      .values({ id, team_id: TeamId.fromUuid(team), name: 'Grace' })
      .execute()
    const { rows: stored } = await pool.query(
      "select id, pg_typeof(id)::text as type from users where name = 'Grace'",
    )
    expect(stored).toEqual([{ id: UserId.toUuid(id), type: 'uuid' }])
  })

  test('idCodec reads and writes a table of uuids with rows, without an ORM', async () => {
    const { toDatabase, fromDatabase } = idCodec(UserId, 'uuid', 'users.id')
    const { rows } = await pool.query('select id from users where id = $1', [
      toDatabase(UserId.fromUuid(user)),
    ])
    expect(rows.map(({ id }) => fromDatabase(id))).toEqual([`user-${user}`])
    const id = UserId.generate()
    await pool.query('insert into users values ($1, null, $2)', [toDatabase(id), 'Alan'])
    const { rows: stored } = await pool.query("select id from users where name = 'Alan'")
    expect(fromDatabase(stored[0].id)).toBe(id)
  })
})

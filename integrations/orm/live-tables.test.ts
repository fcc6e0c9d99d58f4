import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SERVERS, type Server } from '../databases.ts'
import { loadOrm, messageOf, ORMS, type Store, type Team, type User } from './cases.ts'
import { TeamId, UserId } from './ids.ts'

/** UUIDs of versions 7, 4 and 1, as an application without typed ids has stored them. */
const UUIDS = {
  team: '0190163d-8694-739b-aea5-966c26f8ad91',
  ada: '550e8400-e29b-41d4-a716-446655440000',
  bob: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
}
const TEAM: Team = { id: TeamId.fromUuid(UUIDS.team), name: 'Engine' }
const ADA: User = { id: UserId.fromUuid(UUIDS.ada), name: 'Ada', teamId: TEAM.id }
const BOB: User = { id: UserId.fromUuid(UUIDS.bob), name: 'Bob', teamId: null }

const { start } = SERVERS.PostgreSQL
let server: Server
beforeAll(async () => {
  server = await start()
})
afterAll(() => server.stop())

const createLiveTables = () =>
  server.run(
    'drop table if exists users, teams',
    'create table teams (id uuid primary key default gen_random_uuid(), name text not null)',
    `create table users (id uuid primary key default gen_random_uuid(), name text not null,
      team_id uuid references teams)`,
    `insert into teams values ('${UUIDS.team}', 'Engine')`,
    `insert into users values ('${UUIDS.ada}', 'Ada', '${UUIDS.team}'), ('${UUIDS.bob}', 'Bob', null)`,
  )

/** Returns columns, constraints, and rows with their transactions, which UPDATE and ALTER TABLE change. */
async function readTables() {
  const columns = await server.run(
    `select table_name, column_name, data_type, column_default, is_nullable from information_schema.columns
     where table_schema = 'public' order by table_name, column_name`,
  )
  const constraints = await server.run(
    `select conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated from pg_constraint
     where connamespace = 'public'::regnamespace order by conname`,
  )
  const teams = await server.run('select xmin::text, * from teams order by id')
  const users = await server.run('select xmin::text, * from users order by id')
  return { columns, constraints, teams, users }
}

describe.each(Object.entries(ORMS))('%s, with tables of uuids that have rows', (name, folder) => {
  let store: Store
  beforeEach(async () => {
    await createLiveTables()
    store = await (await loadOrm(folder)).open(server, 'uuid')
    return () => store.close()
  })

  test('reads the rows as typed ids', async () => {
    expect(await store.select()).toMatchObject([ADA, BOB])
    expect(await store.where(UserId.fromUuid(UUIDS.team))).toBeFalsy()
    expect(await store.inList([BOB.id, UserId.generate()])).toMatchObject([BOB])
    expect(await store.join()).toEqual([{ member: ADA.id, group: TEAM.id }])
    expect(await store.relation(ADA.id)).toMatchObject({ id: ADA.id, team: TEAM })
  })

  test('stores new rows as bare uuids, and leaves the columns and the existing rows as they are', async () => {
    const before = await readTables()
    const uuidColumns = before.columns.filter((column) => column.data_type === 'uuid')
    expect(uuidColumns.map((column) => `${column.table_name}.${column.column_name}`)).toEqual([
      'teams.id',
      'users.id',
      'users.team_id',
    ])
    const team = { id: TeamId.generate(), name: 'Difference' }
    const [eve, joe] = [UserId.generate(), UserId.generate()]
    await store.insertTeam({ ...team })
    await store.insert({ id: eve, name: 'Eve', teamId: TEAM.id })
    await store.upsert({ id: joe, name: 'Joe', teamId: team.id })

    const after = await readTables()
    const isNew = ({ name }: Record<string, unknown>) => ['Difference', 'Eve', 'Joe'].includes(String(name))
    expect(after.teams.filter(isNew)).toMatchObject([{ id: TeamId.toUuid(team.id) }])
    expect(after.users.filter(isNew)).toMatchObject([
      { id: UserId.toUuid(eve), team_id: UUIDS.team },
      { id: UserId.toUuid(joe), team_id: TeamId.toUuid(team.id) },
    ])
    const existing = (rows: Record<string, unknown>[]) => rows.filter((row) => !isNew(row))
    expect({ ...after, teams: existing(after.teams), users: existing(after.users) }).toEqual(before)
  })

  test('rejects an id of another type in a reference with the name of the column, and changes nothing', async () => {
    const before = await readTables()
    // MikroORM converts a foreign key with the type of the referenced column, so its message names that column.
    const teamId = name === 'MikroORM' ? 'teams\\.id' : 'users?\\.team_?id'
    const wrong = ADA.id as unknown as TeamId
    for (const action of [
      () => store.insert({ id: UserId.generate(), name: 'Eve', teamId: wrong }),
      () => store.update(BOB.id, wrong),
    ])
      expect(await messageOf(action)).toMatch(
        new RegExp(`expected team in column ${teamId}, received user `, 'i'),
      )
    expect(await readTables()).toEqual(before)
  })
})

import { DatabaseSync } from 'node:sqlite'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { defineId, idRegistry, uuidv4 } from '../../src/index.ts'
import { firstIdAt } from '../../src/range.ts'
import { registerFunctions } from '../../src/sqlite.ts'
import { cli } from '../cli/terminal.ts'
import type { Engine } from './claims.ts'
import { changedIds, expectSame, ids, testFunctions } from './claims.ts'

const UserId = defineId('user')
const TeamId = defineId('team')
const { out: file } = await cli(['sql', 'sqlite', '--types', 'user,team'])

const DRIVERS = [
  ['better-sqlite3', () => new BetterSqlite3(':memory:')],
  ['node:sqlite', () => new DatabaseSync(':memory:')],
] as const

describe.each(DRIVERS)('the functions of registerFunctions on %s', (_, open) => {
  const db = open()
  db.exec(file)
  registerFunctions(db, ids)
  const engine: Engine = {
    async map(expression, rows) {
      const query = `select ${expression} as result
        from (select value ->> 0 as a, value ->> 1 as b, key from json_each(?)) order by key`
      const results = db.prepare(query).all(JSON.stringify(rows)) as { result: string | null }[]
      return results.map(({ result }) => result)
    },
    formatTime: (ms) => new Date(ms).toISOString(),
    toMilliseconds: (time) => `round((julianday(${time}) - 2440587.5) * 86400000)`,
    maxTime: Date.UTC(9999, 11, 31, 23, 59, 59, 999),
    firstRandomBit: 80, // the bits before are those of the counter
    insertUser: async (id) => db.prepare('insert into typed_id_example_user (id) values (?)').run(id),
  }
  testFunctions(() => engine)

  test('are deterministic except typed_id_generate, so an index can use them', () => {
    db.exec('create table users (id text primary key)')
    db.exec("create index users_key on users (typed_id_from_uuid('user', id))")
    db.exec('create index users_short on users (typed_id_to_short(id))')
    const [plan] = db
      .prepare('explain query plan select id from users where typed_id_to_short(id) = ?')
      .all('user_01j0b3v1mmeedtx9cpdgkfhbch')
    expect(plan).toMatchObject({ detail: 'SEARCH users USING INDEX users_short (<expr>=?)' })
    expect(() => db.exec('create index users_new on users (typed_id_generate(id))')).toThrow(
      'non-deterministic',
    )
  })

  test('make a range of times a range of the primary key', () => {
    const plan = db
      .prepare(
        "explain query plan select id from users where id >= typed_id_first_at('user', ?) and id < typed_id_first_at('user', ?)",
      )
      .all('2024-06-14', '2024-06-15')
    expect(plan).toMatchObject([
      { detail: expect.stringMatching(/^SEARCH users USING .*INDEX .*\(id>\? AND id<\?\)$/) },
    ])
  })
})

/** Opens a database that has the functions for the ids of a registry. */
function openWith(ids: Parameters<typeof registerFunctions>[1]): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  registerFunctions(db, ids)
  return db
}

test('ids with an alias are accepted and returned with the current prefix, but an alias is not a prefix of new ids', () => {
  const db = openWith(idRegistry([UserId, TeamId], { aliases: { account: UserId } }))
  const standard = UserId.example.replace('user', 'account')
  const short = UserId.toShort(UserId.example).replace('user', 'account')
  const query = `select typed_id_to_short('${standard}') as short, typed_id_from_short('${short}') as standard,
    typed_id_to_uuid('${standard}') as uuid, typed_id_time('${standard}') as time`
  expect(db.prepare(query).get()).toEqual({
    short: UserId.toShort(UserId.example),
    standard: UserId.example,
    uuid: UserId.toUuid(UserId.example),
    time: UserId.timestamp(UserId.example)?.toISOString(),
  })
  expect(() => db.prepare(`select typed_id_to_short('${short}')`).get()).toThrow('malformed standard')
  expect(() => db.prepare("select typed_id_generate('account')").get()).toThrow(
    'unknown prefix: expected user, team, received "account"',
  )
})

test('a type generates ids with its own source of UUIDs', () => {
  const db = openWith(idRegistry([defineId('session', { uuid: uuidv4 })]))
  expect(db.prepare("select typed_id_generate('session') as id").get()).toEqual({
    id: expect.stringMatching(/^session-.{14}4/),
  })
})

test.each([
  ['2024-06-14', 0],
  ['2024-06-14 10:14:09', 36_849_000],
  ['2024-06-14T10:14:09Z', 36_849_000],
  ['2024-06-14T10:14:09.3', 36_849_300],
  ['2024-06-14 10:14:09.300Z', 36_849_300],
])('reads the time %s in UTC, also in another time zone', (time, ms) => {
  vi.stubEnv('TZ', 'America/New_York')
  onTestFinished(() => void vi.unstubAllEnvs())
  const query = openWith(idRegistry([UserId])).prepare("select typed_id_first_at('user', ?) as id")
  expect(query.get(time)).toEqual({ id: firstIdAt(UserId, Date.UTC(2024, 5, 14) + ms) })
})

test.each(['2024-02-31', '2024-06-14T10:14', 'x2024-06-14', 'now', 1718360049])(
  'rejects the time %s',
  (time) => {
    const query = openWith(idRegistry([UserId])).prepare("select typed_id_first_at('user', ?)")
    expect(() => query.get(time)).toThrow(
      `invalid time: expected 'YYYY-MM-DD HH:MM:SS.SSS' since 1970, in UTC, received ${typeof time === 'number' ? time : `"${time}"`}`,
    )
  },
)

test('the CHECK of the file accepts the same values as is() among 2,000 changed ids, and no BLOB, which equals no text', () => {
  const db = new DatabaseSync(':memory:') // better-sqlite3 has SQLITE_LIKE_DOESNT_MATCH_BLOBS
  db.exec(file)
  const insert = db.prepare('insert or replace into typed_id_example_user (id) values (?)')
  const others = [`${UserId.example}\0junk`, `user-${'*'.repeat(36)}`, 1, Buffer.from(UserId.example)]
  for (const value of [...changedIds(2000), ...others]) {
    if (UserId.is(value)) insert.run(value)
    else expect(() => insert.run(value), String(value)).toThrow('CHECK constraint failed')
  }
})

describe('the generated column of the file', () => {
  const db = new BetterSqlite3(':memory:')
  db.exec(file)
  db.exec(file) // can be run again

  test('contains the short form of 20,000 random ids, without functions of the application', () => {
    const random = Array.from({ length: 20_000 }, () =>
      UserId.fromBytes(crypto.getRandomValues(new Uint8Array(16))),
    )
    db.prepare('insert or ignore into typed_id_example_user (id) select value from json_each(?)').run(
      JSON.stringify(random),
    )
    const rows = db.prepare('select id, short_id from typed_id_example_user').raw().all()
    const sorted = random.toSorted()
    expectSame(
      rows.map(String),
      sorted.map((id) => `${id},${UserId.toShort(id)}`),
    )
  })

  test('can be indexed', () => {
    db.exec('create index short on typed_id_example_team (short_id)')
    expect(
      db.prepare('explain query plan select id from typed_id_example_team where short_id = ?').all('x'),
    ).toMatchObject([{ detail: 'SEARCH typed_id_example_team USING COVERING INDEX short (short_id=?)' }])
  })

  test('is removed by the file of --drop', async () => {
    db.exec((await cli(['sql', 'sqlite', '--types', 'user,team', '--drop'])).out)
    expect(db.prepare('select name from sqlite_schema').all()).toEqual([])
  })
})

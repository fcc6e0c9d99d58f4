import pg from 'pg'
import { databaseForTest, PERSISTENT_ENGINES } from 'testkit/engines.ts'
import { freshPostgresDatabase } from 'testkit/postgres-database.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { createUuidv7, defineId } from 'typed-id'
import { firstIdAt } from 'typed-id/range'
import { expect, inject, test } from 'vitest'
import { TeamId } from '../../src/ids.ts'

/** The environment of a service whose clock differs by so many hours. */
const clockOff = (hours: number) => {
  const patch = `const now = Date.now; Date.now = () => now() + ${hours} * 3_600_000`
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(patch)}` }
}

async function createTeam(url: string, name: string): Promise<string> {
  const response = await fetch(`${url}/teams`, {
    method: 'POST',
    body: JSON.stringify({ name }),
    headers: { 'content-type': 'application/json' },
  })
  return ((await response.json()) as { id: string }).id
}

test.for(PERSISTENT_ENGINES)(
  'a clock that is set back an hour between two starts changes neither the order of a list nor polling (%s)',
  async (engine) => {
    const url = await databaseForTest(engine)
    const before = await startServiceForTest({ DATABASE_URL: url })
    const first = await createTeam(before.url, 'first')
    await before.stop()

    const after = await startServiceForTest({ DATABASE_URL: url, ...clockOff(-1) })
    const second = await createTeam(after.url, 'second')
    const names = (await (await fetch(`${after.url}/teams`)).json()) as { name: string }[]
    expect(names.map(({ name }) => name)).toEqual(['first', 'second'])
    const polled = (await (await fetch(`${after.url}/teams?after=${first}`)).json()) as { id: string }[]
    expect(polled.map(({ id }) => id)).toEqual([second])
    const [line] = after.logLines
      .map((text) => JSON.parse(text))
      .filter(({ drift_ms }) => drift_ms !== undefined)
    expect(line).toMatchObject({
      level: 40,
      msg: 'clock is behind the stored ids, new ids continue after them',
    })
    expect(line.drift_ms).toBeGreaterThan(3_500_000)
  },
)

test('an id that is more than a day ahead of the clock is reported and not followed', async () => {
  const url = await databaseForTest('sqlite-file')
  const before = await startServiceForTest({ DATABASE_URL: url, ...clockOff(48) })
  await createTeam(before.url, 'of the future')
  await before.stop()

  const after = await startServiceForTest({ DATABASE_URL: url })
  const id = TeamId.parse(await createTeam(after.url, 'of today'))
  expect(Math.abs((TeamId.timestamp(id)?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
  const levels = after.logLines
    .map((text) => JSON.parse(text))
    .filter(({ drift_ms }) => drift_ms !== undefined)
  expect(levels).toMatchObject([
    { level: 50, msg: 'stored ids are ahead of the clock, new ids sort before them' },
  ])
  await after.stop()

  const behind = await startServiceForTest({ DATABASE_URL: url, ...clockOff(-1) })
  expect((await createTeam(behind.url, 'after that of today')) > id).toBe(true)
})

/* The claim of typed-id's README on ranges of time, on PostgreSQL. The library tests it on SQLite. */

const UserId = defineId('user')
const start = Date.UTC(2024, 0, 1)
const MINUTE = 60_000

test.each(['C', 'en-x-icu'])(
  'PostgreSQL runs a query for a range of times as a range scan on the primary key, with the collation %s',
  async (collation) => {
    const database = await freshPostgresDatabase(inject('postgresUrl'))
    const client = new pg.Client(database.url)
    await client.connect()
    await client.query(`create table users (id text collate "${collation}" primary key)`)
    let now = start
    const uuid = createUuidv7({ now: () => (now += MINUTE) })
    const ids = Array.from({ length: 10_000 }, () => UserId.fromUuid(uuid()))
    await client.query('insert into users select unnest($1::text[])', [ids])
    await client.query('vacuum analyze users')

    const query = 'select id from users where id >= $1 and id < $2'
    const range = [120, 180].map((minutes) => firstIdAt(UserId, start + minutes * MINUTE))
    const { rows } = await client.query(`${query} order by id`, range)
    expect(rows.map(({ id }) => id)).toEqual(ids.slice(119, 179))

    const explained = await client.query(`explain (format json, costs off) ${query}`, range)
    expect(explained.rows[0]['QUERY PLAN'][0].Plan).toMatchObject({
      'Node Type': expect.stringMatching(/^Index (Only )?Scan$/),
      'Index Name': 'users_pkey',
      'Index Cond': expect.stringMatching(/^\(\(id >= .+\) AND \(id < .+\)\)$/),
    })
    await client.end()
    await database.drop()
  },
)

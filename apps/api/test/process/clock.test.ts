import { connectForTest, databaseForTest, emptyDatabaseForTest, PERSISTENT_ENGINES } from 'testkit/engines.ts'
import type { Running } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { createUuidv7, defineId } from 'typed-id'
import { firstIdAt } from 'typed-id/range'
import { expect, test } from 'vitest'
import { TeamId } from '../../src/ids.ts'

/** The environment of a service whose clock differs by so many hours. */
const clockOff = (hours: number) => {
  const patch = `const now = Date.now; Date.now = () => now() + ${hours} * 3_600_000`
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(patch)}` }
}

async function createTeam({ post }: Running, name: string): Promise<string> {
  return (await post('/teams', { name })).json.id
}

/** The log lines about the time in stored ids. */
const driftLines = ({ logLines }: Running) =>
  logLines.map((text) => JSON.parse(text)).filter(({ drift_ms }) => drift_ms !== undefined)

test.for(PERSISTENT_ENGINES)(
  'a clock that is set back an hour between two starts changes neither the order of a list nor polling (%s)',
  async (engine) => {
    const url = await databaseForTest(engine)
    const before = await startServiceForTest({ DATABASE_URL: url })
    const first = await createTeam(before, 'first')
    await before.stop()

    const after = await startServiceForTest({ DATABASE_URL: url, ...clockOff(-1) })
    const second = await createTeam(after, 'second')
    expect((await after.get('/teams')).json).toMatchObject([{ name: 'first' }, { name: 'second' }])
    expect((await after.get(`/teams?after=${first}`)).json).toMatchObject([{ id: second }])
    const [line] = driftLines(after)
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
  await createTeam(before, 'of the future')
  await before.stop()

  const after = await startServiceForTest({ DATABASE_URL: url })
  const id = TeamId.parse(await createTeam(after, 'of today'))
  expect(Math.abs((TeamId.timestamp(id)?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000)
  expect(driftLines(after)).toMatchObject([
    { level: 50, msg: 'stored ids are ahead of the clock, new ids sort before them' },
  ])
  await after.stop()

  const behind = await startServiceForTest({ DATABASE_URL: url, ...clockOff(-1) })
  expect((await createTeam(behind, 'after that of today')) > id).toBe(true)
})

/* The claim of typed-id's README on ranges of time, on PostgreSQL. The library tests it on SQLite. */

const UserId = defineId('user')
const start = Date.UTC(2024, 0, 1)
const MINUTE = 60_000

test.each(['C', 'en-x-icu'])(
  'PostgreSQL runs a query for a range of times as a range scan on the primary key, with the collation %s',
  async (collation) => {
    const client = await connectForTest(await emptyDatabaseForTest('postgres'))
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
  },
)

import { verify } from '@node-rs/argon2'
import { databaseForTest, emptyDatabaseForTest, PERSISTENT_ENGINES } from 'testkit/engines.ts'
import type { Running } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, test } from 'vitest'
import { TeamId } from '../../src/ids.ts'
import { rowsOf } from '../support/released-database.ts'

const startDemo = (env: Record<string, string>) => startServiceForTest(env, [], ['--demo'])

test.each(PERSISTENT_ENGINES)(
  'start --demo (%s) fills an empty database and serves it, and a second time serves the rows that are there',
  async (engine) => {
    const url = await emptyDatabaseForTest(engine)
    const service = await startDemo({ DATABASE_URL: url })
    const users = (await service.get('/users')).json
    expect(users).toHaveLength(200)
    expect(new Set(users.map(({ name }: { name: string }) => name)).size).toBe(200)
    expect(users[1]).toMatchObject({
      name: 'Alan Turing',
      team: { name: 'Payments' },
      roles: [{ name: 'editor' }],
    })
    expect((await service.get('/teams')).json).toHaveLength(12)
    expect((await service.get('/roles')).json).toHaveLength(6)
    const { id } = (await service.post('/teams', { name: 'new' })).json
    expect((await service.get(`/teams?after=${id}`)).json, 'a new id sorts last').toEqual([])
    await service.stop()

    const rows = await rowsOf(url)
    expect(await verify(String(rows.users?.[0]?.password_hash), 'correct horse battery staple')).toBe(true)
    const second = await startDemo({ DATABASE_URL: url })
    expect((await second.get('/teams')).json).toHaveLength(13)
    expect(second.logLines.join()).toContain('"database has rows, no demo data stored"')
    await second.stop()
    expect(await rowsOf(url)).toEqual(rows)
  },
)

test('start --demo stores the same rows on every engine, ids included, and in memory', async () => {
  const urls = [
    await emptyDatabaseForTest('sqlite-file'),
    await emptyDatabaseForTest('postgres'),
    'sqlite::memory:',
  ]
  const lists = urls.map(async (DATABASE_URL) => (await startDemo({ DATABASE_URL })).get('/users'))
  expect(new Set((await Promise.all(lists)).map(({ text }) => text)).size).toBe(1)
})

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
})

import { databaseForTest, PERSISTENT_ENGINES } from 'testkit/engines.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, test } from 'vitest'
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
})

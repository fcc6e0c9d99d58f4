import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const missing = ['bash', 'curl', 'jq'].filter((tool) => spawnSync(tool, ['--version']).error)
if (missing.length > 0)
  console.warn(`\n!!! walk.sh is NOT TESTED: ${missing} cannot be run on this machine\n`)

const id = (prefix: string) => `${prefix}-[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`

/** The lines that both clients print: the team, then the users in pages of two. */
const expectedLines = (after = '') => [
  expect.stringMatching(`^${id('team')} Engineering$`),
  ...['1: USER Ada', '1: USER Grace', '2: USER Edsger', '2: USER Barbara', '3: USER Donald'].map((line) =>
    expect.stringMatching(`^page ${line.replace('USER', id('user'))}${after}$`),
  ),
]

/** Returns the lines that a client prints for a service with an empty database. */
async function walk(profile: 'a' | 'b', command: string, file: string): Promise<string[]> {
  const { url } = await startServiceForTest({ PROFILE: profile, DATABASE_URL: 'sqlite::memory:' })
  const { stdout } = await run(command, [path(file), url])
  return stdout.trimEnd().split('\n')
}

test.skipIf(missing.length > 0).each(['a', 'b'] as const)(
  'walk.sh lists the users of Profile %s page by page',
  async (profile) => {
    expect(await walk(profile, 'bash', 'walk.sh')).toEqual(expectedLines())
  },
)

test('the typed client lists the users page by page', async () => {
  const lines = await walk('a', process.execPath, 'openapi-typescript/walk.ts')
  expect(lines).toEqual(expectedLines(', Engineering, 1 role'))
})

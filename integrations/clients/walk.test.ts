import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startService } from 'testkit/process.ts'
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

/** Starts a service with an empty database, and stops it after use. */
async function withService(profile: 'a' | 'b', use: (url: string) => Promise<void>) {
  const service = await startService({ PROFILE: profile, DATABASE_URL: 'sqlite::memory:' })
  await use(service.url).finally(() => service.stop())
}

for (const profile of ['a', 'b'] as const)
  test.skipIf(missing.length > 0)(`walk.sh lists the users of Profile ${profile} page by page`, () =>
    withService(profile, async (url) => {
      const { stdout } = await run('bash', [path('walk.sh'), url])
      expect(stdout.trimEnd().split('\n')).toEqual(expectedLines())
    }),
  )

test('the typed client lists the users page by page', () =>
  withService('a', async (url) => {
    const { stdout } = await run(process.execPath, [path('openapi-typescript/walk.ts'), url])
    expect(stdout.trimEnd().split('\n')).toEqual(expectedLines(', Engineering, 1 role'))
  }))

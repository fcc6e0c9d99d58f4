import { execFile, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Running, startService } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, useClient } from './cases.ts'
import { GENERATORS } from './generators.ts'

let service: Running
beforeAll(async () => {
  service = await startService({ DATABASE_URL: 'sqlite::memory:' })
})
afterAll(() => service.stop())

describe.each(GENERATORS)('the client of $package', ({ folder }) => {
  test('sends ids in paths, queries and bodies, and receives them in nested objects', async () => {
    const { connect }: { connect(url: string): Client } = await import(`./${folder}/client.ts`)
    await useClient(connect(service.url))
  })

  // `types.test.ts` compiles the clients.
  test('is checked by the compiler', () => {
    const files = globSync(`${import.meta.dirname}/generated/${folder}/**/*.ts`)
    expect(files.length).toBeGreaterThanOrEqual(3)
    for (const file of files) expect(readFileSync(file, 'utf8'), file).not.toContain('@ts-nocheck')
  })
})

const missing = ['bash', 'curl', 'jq'].filter((tool) => spawnSync(tool, ['--version']).error)
if (missing.length > 0)
  console.warn(`\n!!! walk.sh is NOT TESTED: ${missing} cannot be run on this machine\n`)

const id = (prefix: string) => `${prefix}-[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`

/** The lines that it prints: the team, then the users in pages of two. */
const LINES = [
  expect.stringMatching(`^${id('team')} Engineering$`),
  ...['1: USER Ada', '1: USER Grace', '2: USER Edsger', '2: USER Barbara', '3: USER Donald'].map((line) =>
    expect.stringMatching(`^page ${line.replace('USER', id('user'))}$`),
  ),
]

test.skipIf(missing.length > 0).each(['a', 'b'])(
  'walk.sh lists the users of Profile %s page by page',
  async (PROFILE) => {
    const { url } = await startServiceForTest({ PROFILE, DATABASE_URL: 'sqlite::memory:' })
    const script = fileURLToPath(new URL('walk.sh', import.meta.url))
    const { stdout } = await promisify(execFile)('bash', [script, url])
    expect(stdout.trimEnd().split('\n')).toEqual(LINES)
  },
)

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  createTemplate,
  DATABASES,
  selectPrograms,
  startServer,
} from './bench/servers.ts'
import { compareResponses } from './bench/workloads.ts'
import { runRound } from './history/main.ts'
import { withScope } from './kit/scope.ts'
import { sum } from './kit/statistics.ts'

const DURATION_FACTOR = 0.1

test.each([
  {
    engine: 'postgres',
    faults: [
      'SIGKILL',
      'responses to COMMIT cut',
      'crash of PostgreSQL',
      'SIGSTOP',
      'SIGKILL',
      'immediate restart',
      'bytes dropped',
      'crash of PostgreSQL',
    ],
  },
  {
    engine: 'sqlite',
    faults: ['SIGKILL', 'write lock', 'SIGSTOP', 'backup', 'SIGKILL'],
  },
] as const)(
  'despite SIGKILL of the service and crashes of PostgreSQL, one order explains every response that clients of two instances receive ($engine)',
  async ({ engine, faults }) => {
    const round = { engine, faults, seed: 1, durationFactor: DURATION_FACTOR }
    const { outcomes, anomalies } = await runRound(round)
    expect(anomalies.join('\n')).toBe('')
    const { 503: unavailable = 0, ECONNRESET: reset = 0 } = outcomes
    expect(
      unavailable + reset,
      `requests with an unknown outcome in ${JSON.stringify(outcomes)}`,
    ).toBeGreaterThan(0)
    expect(sum(outcomes)).toBeGreaterThan(1000)
  },
)

test.each(DATABASES)(
  'every peer of the benchmark responds to reads and writes as the service does, byte for byte (%s)',
  (database) =>
    withScope(async (scope) => {
      const { seeded, copy } = await createTemplate[database](scope, 300)
      const servers = await Promise.all(
        selectPrograms(database).map(async (program) =>
          startServer(scope, program, await copy()),
        ),
      )
      expect(await compareResponses(servers, seeded)).toBeGreaterThan(50)
    }),
)

function isRunning(pid: number | undefined): boolean {
  try {
    process.kill(pid ?? 0, 0)
    return true
  } catch {
    return false
  }
}

test('a PostgreSQL server and its folder are gone after SIGKILL of the process that started them', async () => {
  const module = new URL('../testkit/postgres.ts', import.meta.url)
  const code = `const { folder } = await (await import('${module}')).startPostgres(); console.log(folder)`
  const child = spawn(process.execPath, ['-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = await once(child.stdout, 'data')
  const folder = String(output).trim()
  const file = readFileSync(`${folder}/data/postmaster.pid`, 'utf8')
  const pid = Number.parseInt(file, 10)
  expect(isRunning(pid)).toBe(true)
  child.kill('SIGKILL')
  await expect.poll(() => existsSync(folder)).toBe(false)
  expect(isRunning(pid)).toBe(false)
})

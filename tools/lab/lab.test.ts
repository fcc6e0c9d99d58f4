import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { startService } from 'testkit/process.ts'
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

/** Faults last a tenth of their normal duration. */
const SCALE = 0.1

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
  '$engine: one order explains every response that clients of two instances receive during faults',
  async ({ engine, faults }) => {
    const round = { engine, faults, clients: 12, seed: 1, scale: SCALE }
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
  'on %s, every peer of the benchmark responds to reads and writes as the service does, byte for byte',
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

test('stops the service and removes the folder when the work throws', async () => {
  let pid: number | undefined
  let folder = ''
  const work = withScope(async (scope) => {
    folder = scope.createFolder('api-scope-')
    const service = await startService(
      { DATABASE_URL: `sqlite:${folder}/users.db` },
      [],
      scope.own,
    )
    pid = service.process.pid
    throw new Error('a failed assertion')
  })
  await expect(work).rejects.toThrow('a failed assertion')
  expect(isRunning(pid), `process ${pid} is still running`).toBe(false)
  expect(existsSync(folder), `${folder} still exists`).toBe(false)
})

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

test('the benchmark prints its table', async () => {
  const main = `${import.meta.dirname}/bench/main.ts`
  const short = '--users 200 --rounds 1 --turns 1 --seconds 0.05 --only bad-id'
  const bench = spawn(process.execPath, [main, ...short.split(' ')])
  const [output] = await Promise.all([text(bench.stdout), once(bench, 'exit')])
  expect(output).toMatch(/^\| GET \/users\/\{invalid id\}, 422 \| \d+ µs, /m)
})

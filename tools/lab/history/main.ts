import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { formatTable } from 'testkit/documents.ts'
import { oneOf, positive, runCommand } from '../kit/command.ts'
import { withScope } from '../kit/scope.ts'
import {
  addCounts,
  type Counts,
  count,
  createRandom,
  formatCounts,
  shuffle,
  sum,
} from '../kit/statistics.ts'
import { FAULTS, findDamage } from './faults.ts'
import {
  createHistory,
  type History,
  LISTS,
  type List,
  type StoredRecord,
} from './history.ts'
import { type Engine, INSTANCES, startCluster } from './instances.ts'
import { formatAnomaly, judge } from './judge.ts'
import { createRequests, type Requests } from './requests.ts'
import { createPopulation, work } from './workload.ts'

/**
 * `pnpm test:history`: checks that the responses of two instances of the service
 * are linearizable while clients run concurrently and faults occur.
 */
const ENGINES = { postgres: 'PostgreSQL', sqlite: 'SQLite file' } as const

const OPTIONS = {
  database: 'postgres,sqlite',
  minutes: '10',
  seed: '1',
}

const CLIENTS = 12

/** With more faults, the check would take too much time and memory. */
const FAULTS_OF_ROUND = 14

const REQUESTS = 300

/** Statuses that show whether the service has executed a request. */
const DEFINITE = /^[2-4]\d\d$/

interface Round {
  readonly engine: Engine
  readonly seed: number
  readonly faults: readonly string[]
  readonly durationFactor: number
}

function chooseFaults(engine: Engine, seed: number): string[] {
  const random = createRandom(seed)
  const names = Object.keys(FAULTS[engine])
  const chosen: string[] = []
  while (chosen.length < FAULTS_OF_ROUND) chosen.push(...shuffle(names, random))
  return chosen.slice(0, FAULTS_OF_ROUND)
}

export function runRound({ engine, seed, faults, durationFactor }: Round) {
  return withScope(async (scope) => {
    const random = createRandom(seed)
    const cluster = await startCluster(scope, engine)
    const urls = cluster.instances.map(({ url }) => url)
    const [url = ''] = urls
    const history = createHistory(await readBefore(url))
    const { teams, roles } = history.before
    const population = createPopulation([...teams.keys()], [...roles.keys()])
    const outcomes: Counts = {}
    const requestsOf = (client: number, agent: Agent, choose = random) =>
      createRequests(client, agent, urls, history, outcomes, choose)
    let isStopping = false
    const runClient = async (index: number) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const requests = requestsOf(index, agent)
      try {
        // The first client requests the list of all users again and again, so
        // that the service always streams a list while other clients write.
        while (!isStopping)
          await (index === 0
            ? requests.walk('users')
            : work(population, requests, random))
      } finally {
        isStopping = true
        agent.destroy()
      }
    }
    const running = Promise.all(
      Array.from({ length: CLIENTS }, (_, index) => runClient(index)),
    )
    // Node would end this process if `running` rejected before the await below.
    running.catch(() => {})
    const waitForRequests = () => {
      const enough = sum(outcomes, DEFINITE) + REQUESTS
      return Promise.race([
        waitUntil(() => sum(outcomes, DEFINITE) >= enough),
        running,
      ])
    }
    try {
      await waitForRequests()
      for (const fault of faults) {
        const [instance] = shuffle(cluster.instances, random)
        const cause = FAULTS[engine][fault]
        if (!cause || !instance) throw new Error(`unknown fault "${fault}"`)
        await cause({ ...cluster, instance, random, durationFactor })
        await waitForRequests()
      }
    } finally {
      isStopping = true
      await running
    }
    await readAll(urls, (agent, n) =>
      requestsOf(CLIENTS, agent, () => n / urls.length),
    )
    history.broken.push(...(await findDamage(cluster.databaseUrl)))
    const { anomalies, checks } = judge(history)
    return { outcomes, checks, anomalies: anomalies.map(formatAnomaly) }
  })
}

async function readBefore(url: string): Promise<History['before']> {
  const read = async (list: List) => {
    const response = await fetch(`${url}/${list}`)
    const records = (await response.json()) as StoredRecord[]
    return new Map(records.map((one) => [one.id, JSON.stringify(one)]))
  }
  const [users, teams, roles] = [read('users'), read('teams'), read('roles')]
  return { users: await users, teams: await teams, roles: await roles }
}

/**
 * Reads all records at the end of a round, because only a later read can show
 * that a write was lost.
 */
async function readAll(
  urls: readonly string[],
  requestsTo: (agent: Agent, instance: number) => Requests,
) {
  for (const [n, url] of urls.entries()) {
    await waitUntil(async () => (await fetch(`${url}/readyz`)).ok)
    const agent = new Agent({ keepAlive: true })
    const requests = requestsTo(agent, n)
    for (const list of LISTS) await requests.walk(list)
    agent.destroy()
  }
}

async function waitUntil(holds: () => boolean | Promise<boolean>) {
  const deadline = performance.now() + 300_000
  while (!(await holds())) {
    if (performance.now() > deadline)
      throw new Error(`waited for five minutes until ${holds}`)
    await pause(5)
  }
}

async function runRounds({ database, minutes, seed: first }: typeof OPTIONS) {
  const rows = []
  const failures: string[] = []
  for (const name of database.split(',')) {
    const engine = oneOf(['postgres', 'sqlite'], name)
    const end = performance.now() + positive(minutes) * 60_000
    const outcomes: Counts = {}
    const causes: Counts = {}
    let checks = 0
    const before = failures.length
    for (let seed = positive(first); performance.now() < end; seed += 1) {
      const faults = chooseFaults(engine, seed)
      const round = { engine, seed, faults, durationFactor: 1 }
      const result = await runRound(round)
      for (const fault of faults) count(causes, fault)
      addCounts(outcomes, result.outcomes)
      checks += result.checks
      for (const anomaly of result.anomalies)
        failures.push(`${engine}, seed ${seed}: ${anomaly}`)
    }
    rows.push({
      service: `${INSTANCES} instances, ${ENGINES[engine]}`,
      clients: CLIENTS,
      requests: sum(outcomes),
      'no response or 503': sum(outcomes) - sum(outcomes, DEFINITE),
      'operations judged': checks,
      faults: sum(causes),
      anomalies: failures.length - before,
      'faults by kind': formatCounts(causes),
    })
  }
  const table = formatTable({
    columns: Object.keys(rows[0] ?? {}),
    rows: rows.map((row) => Object.values(row)),
  })
  return { section: 'history', table, failures }
}

if (import.meta.main) await runCommand(OPTIONS, runRounds)

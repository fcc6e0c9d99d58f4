import { setTimeout as pause } from 'node:timers/promises'
import { formatTable } from 'testkit/tables.ts'
import { choices, defineCampaign, number } from '../kit/campaign.ts'
import { type Client, createUser, startClients } from '../kit/clients.ts'
import { readStored } from '../kit/ledger.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { startService } from '../kit/service.ts'
import { waitForMore, waitUntil } from '../kit/wait.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { judgeRun, type Result, summarize } from './judge.ts'
import { findPrograms } from './programs.ts'

/** The ways in which the primary becomes unavailable. */
const WAYS = {
  kill: 'killed (`kill -9`)',
  freeze: 'frozen, then continued after the failover',
  switchover: 'asked to hand over',
} as const

type Way = keyof typeof WAYS

/** Number of acknowledged registrations before the failover, and after each step. */
const REGISTRATIONS = 200

/** Numbers of clients that register users and that read. */
const [REGISTRANTS, READERS] = [8, 8]

/** Minimum time between two requests of a client, so that the rate stays the same when errors come fast. */
const INTERVAL_MS = 100

/** The service's time limits, and how long clients wait: no request may exceed all limits together. */
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 10_000
const CLIENT_TIMEOUT_MS = 2 * (CONNECT_TIMEOUT_MS + STATEMENT_TIMEOUT_MS)

export const campaign = defineCampaign({
  summary: 'takes the primary of a PostgreSQL cluster away while clients register users and read them',
  duration: '2 minutes per run',
  needs: 'postgresql, patroni, etcd-server, haproxy (Debian packages)',
  options: {
    way: choices('how the primary becomes unavailable', Object.keys(WAYS) as Way[], ['kill']),
    runs: number('runs of each', 1),
  },
  async run({ way: ways, runs }) {
    const programs = findPrograms()
    const rows = []
    const failures: string[] = []
    for (const way of ways) {
      const results: Result[] = []
      for (let n = 0; n < runs; n += 1) {
        const result = await withScope(async (scope) => {
          const cluster = await startCluster(scope, programs)
          const result = await failOver(scope, cluster, way)
          if (result.failures.length > 0) cluster.keepLogs()
          return {
            ...result,
            failures: result.failures.map((failure) => `${way}: ${failure} (logs in ${cluster.folder})`),
          }
        })
        results.push(result)
        failures.push(...result.failures)
      }
      rows.push([WAYS[way], runs, ...summarize(results)])
    }
    const columns = [
      ...['the primary is', 'runs', 'registrations acknowledged', 'of these lost', 'inconsistent'],
      ...['stored after a 503', 'longest time without a 201', 'slowest response', 'responses'],
    ]
    return { table: formatTable({ columns, rows }), failures }
  },
})

async function failOver(scope: Scope, cluster: Cluster, way: Way): Promise<Result> {
  const env = {
    DATABASE_URL: cluster.url,
    DATABASE_CONNECT_TIMEOUT_MS: `${CONNECT_TIMEOUT_MS}`,
    DATABASE_STATEMENT_TIMEOUT_MS: `${STATEMENT_TIMEOUT_MS}`,
  }
  const urls = [(await startService(scope, env)).url, (await startService(scope, env)).url]
  const registered = createRegistered(urls)
  const clients = await startClients({
    url: urls[0] as string,
    count: REGISTRANTS + READERS,
    timeoutMs: CLIENT_TIMEOUT_MS,
    work: (client, turn) =>
      client.index < REGISTRANTS ? registered.add(client, turn) : registered.read(client),
  })
  const waitForRegistrations = () =>
    waitForMore('registrations are acknowledged', REGISTRATIONS, () => registered.ids.length)
  try {
    await waitForRegistrations()
    const primary = findLeader(await cluster.readRoles())
    if (primary === undefined) throw new Error('the cluster has no primary')
    const goneAt = performance.now()
    if (way === 'switchover') await cluster.switchOver(primary)
    else cluster.signal(primary, way === 'kill' ? 'SIGKILL' : 'SIGSTOP')
    // A new primary acknowledges writes only after it has a synchronous standby.
    await waitUntil(
      'the cluster has another primary with a synchronous standby',
      async () => {
        const roles = await cluster.readRoles()
        const next = findLeader(roles)
        return next !== undefined && next !== primary && Object.values(roles).includes('sync_standby')
      },
      50,
    )
    const electionMs = performance.now() - goneAt
    await waitForRegistrations()
    if (way === 'freeze') {
      cluster.signal(primary, 'SIGCONT')
      await cluster.waitUntilComplete()
      await waitForRegistrations()
    }
    await clients.stop()
    for (const url of urls) clients.ledger.compare(await readStored(url))
    return judgeRun(clients, goneAt, electionMs)
  } finally {
    await clients.stop()
  }
}

const findLeader = (roles: Record<string, string>) =>
  Object.keys(roles).find((name) => roles[name] === 'leader')

/** Registers users through alternating instances, and keeps the ids of acknowledged registrations. */
function createRegistered(urls: readonly string[]) {
  const ids: string[] = []
  let requests = 0
  const nextUrl = () => {
    requests += 1
    return urls[requests % urls.length] as string
  }
  return {
    ids: ids as readonly string[],
    /** Registers a user, and retries until the response is definite. */
    async add(client: Client, turn: number): Promise<void> {
      const user = createUser(`client-${client.index}-${turn}@example.com`, 'Ada')
      for (let attempt = 1; attempt === 1 || !client.isStopping(); attempt += 1) {
        const spaced = pause(INTERVAL_MS)
        const { response } = await client.create(user, { baseUrl: nextUrl(), isRetry: attempt > 1 })
        if (response?.status === 201) ids.push(JSON.parse(response.body).id)
        await spaced
        if (response && response.status < 500) return
      }
    },
    async read(client: Client): Promise<void> {
      const spaced = pause(INTERVAL_MS)
      const id = ids[Math.floor(Math.random() * ids.length)]
      await client.send({ method: 'GET', path: id === undefined ? '/teams' : `/users/${id}` }, nextUrl())
      await spaced
    },
  }
}

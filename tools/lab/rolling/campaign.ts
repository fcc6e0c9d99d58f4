import { setTimeout as pause } from 'node:timers/promises'
import { freePorts } from 'testkit/ports.ts'
import { formatTable } from 'testkit/tables.ts'
import { choices, defineCampaign, number, numbers } from '../kit/campaign.ts'
import { type Client, createTeam, createUser, startClients } from '../kit/clients.ts'
import { startHaproxy } from '../kit/haproxy.ts'
import { countOutcomes, outcomeOf } from '../kit/http.ts'
import { readStored } from '../kit/ledger.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { startDatabase, startService } from '../kit/service.ts'
import { formatCounts, quantile, round } from '../kit/statistics.ts'
import { waitForMore } from '../kit/wait.ts'

const ENGINES = { postgres: 'PostgreSQL', sqlite: 'SQLite file' } as const

type Engine = keyof typeof ENGINES

/** Numbers of clients that read, write, and register users. */
const [READERS, WRITERS, REGISTRANTS] = [20, 16, 4]

/** Pause between two requests of a client, in milliseconds. */
const PAUSE_MS = 10

/** Number of responses between two restarts. */
const RESPONSES = 1000

export const campaign = defineCampaign({
  summary:
    'restarts two instances in turn behind HAProxy, as in compose.yaml; every request of 40 clients must succeed',
  duration: '1 minute',
  needs: 'haproxy',
  options: {
    database: choices(
      'databases; SQLite is one file that both instances use',
      Object.keys(ENGINES) as Engine[],
      ['postgres'],
    ),
    restarts: number('restarts per database and DRAIN_MS', 4),
    drain: numbers(
      'DRAIN_MS of the instances; requests fail if it is shorter than the health checks need',
      [1000],
    ),
  },
  async run({ database: engines, restarts, drain }) {
    const rows = []
    const failures: string[] = []
    for (const engine of engines) {
      for (const drainMs of drain) {
        const result = await withScope((scope) => restart(scope, engine, restarts, drainMs))
        rows.push([ENGINES[engine], restarts, drainMs, ...result.figures])
        failures.push(...result.failures)
      }
    }
    const columns = [
      ...['database', 'restarts', '`DRAIN_MS`', 'requests', 'failed', 'writes acknowledged', 'of these lost'],
      ...['p50, p99, slowest', 'responses'],
    ]
    return { table: formatTable({ columns, rows }), failures }
  },
})

async function restart(scope: Scope, engine: Engine, restarts: number, drainMs: number) {
  const DATABASE_URL = await startDatabase(scope, engine)
  const ports = await freePorts(2)
  const start = (port: number) =>
    startService(scope, { DATABASE_URL, DRAIN_MS: `${drainMs}`, PORT: `${port}` })
  const instances = [await start(ports[0] as number), await start(ports[1] as number)]
  const balancer = await startHaproxy(scope, ports)
  await balancer.waitForAll()

  const teams: string[] = []
  const clients = await startClients({
    url: `http://127.0.0.1:${balancer.port}`,
    count: READERS + WRITERS + REGISTRANTS,
    work: (client, turn) => work(client, turn, teams),
  })
  const { exchanges, ledger } = clients
  const waitForResponses = () => waitForMore('requests are complete', RESPONSES, () => exchanges.length)
  try {
    await waitForResponses()
    for (let n = 0; n < restarts; n += 1) {
      const index = n % instances.length
      const code = await instances[index]?.stop('SIGTERM')
      if (code !== 0) throw new Error(`an instance exited with ${code} after SIGTERM, expected 0`)
      instances[index] = await start(ports[index] as number)
      await balancer.waitForAll()
      await waitForResponses()
    }
  } finally {
    await clients.stop()
  }
  for (const { url } of instances) ledger.compare(await readStored(url))

  const failed = exchanges.filter((exchange) => !['200', '201'].includes(outcomeOf(exchange)))
  const acknowledged = exchanges.filter((exchange) => outcomeOf(exchange) === '201').length
  const times = exchanges.map(({ ms }) => ms)
  const quantiles = [0.5, 0.99, 1].map((q) => round(quantile(times, q)))
  const figures = [
    ...[exchanges.length, failed.length, acknowledged, ledger.lost.length],
    ...[`${quantiles.join(', ')} ms`, formatCounts(countOutcomes(exchanges))],
  ]
  const failures = [
    ...failed.map((exchange) => {
      const { request, ms } = exchange
      return `${request.method} ${request.path} got ${outcomeOf(exchange)} after ${round(ms)} ms`
    }),
    ...[...clients.failures, ...ledger.lost, ...ledger.inconsistent],
    ...(acknowledged === 0 ? ['no write was acknowledged'] : []),
  ]
  return { figures, failures: failures.map((failure) => `${engine}, DRAIN_MS=${drainMs}: ${failure}`) }
}

/** Sends one request of a client: a read, a write or a registration. */
async function work(client: Client, turn: number, teams: string[]): Promise<void> {
  const name = `client-${client.index}-${turn}`
  if (client.index < READERS) {
    const id = teams[Math.floor(Math.random() * teams.length)]
    await client.send({ method: 'GET', path: id === undefined ? '/teams?limit=1' : `/teams/${id}` })
  } else if (client.index < READERS + WRITERS) {
    const { response } = await client.create(createTeam(name))
    if (response?.status === 201) teams.push(JSON.parse(response.body).id)
  } else await client.create(createUser(`${name}@example.com`, name))
  await pause(PAUSE_MS)
}

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { counted } from '../database/counted.ts'
import type { Database } from '../database/database.ts'
import type { Exchange } from '../http/mount.ts'
import type { Limiter } from '../limiter.ts'
import type { RunningServer } from '../server.ts'

export interface Meter {
  readonly registry: Registry
  /** Counts one exchange, under names that clients cannot choose. */
  observe(exchange: Exchange): void
  watchServer(server: RunningServer, hashing: Limiter): void
  /** Returns the database to use instead, which counts its errors. */
  watchDatabase(db: Database): Database
}

/** From half a millisecond, what a read takes, to the 10 seconds after which most clients have gone. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'])

/** Everything that is measured in this process, and the process itself. */
export function createMeter(): Meter {
  const registry = new Registry()
  const { gauge, counter } = readings(registry)
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the answer to a request begins, by route as declared, method and status',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
    registers: [registry],
  })
  return {
    registry,
    observe({ route, method, status, ms }) {
      // A path or a method that is not declared can be anything, and each would be a time series of its own.
      const labels = { route: route ?? 'unmatched', method: METHODS.has(method) ? method : 'other', status }
      durations.observe(labels, ms / 1000)
    },
    watchServer(server, hashing) {
      gauge('http_requests_running', 'Requests that run', server.running)
      gauge('http_connections_open', 'Open connections', server.connections)
      counter(
        'http_refusals_total',
        'What did not reach the app, or not in time',
        () => server.refusals,
        'reason',
      )
      gauge('password_hashes_running', 'Passwords that are hashed', () => hashing.running)
      gauge('password_hashes_waiting', 'Passwords that wait to be hashed', () => hashing.waiting)
      counter('password_hashes_refused_total', 'Passwords that had no room to wait', () => hashing.refused)
    },
    watchDatabase(opened) {
      const { db, errors } = counted(opened)
      counter('database_errors_total', 'Errors, refused constraints not among them', () => errors, 'kind')
      const { pool, commits } = db.activity()
      if (pool) {
        const now = () => db.activity().pool ?? pool
        const connections = () => ({ busy: now().busy, idle: now().idle })
        gauge('database_pool_connections', 'Connections to the database', connections, 'state')
        gauge('database_pool_waiting', 'Who waits for a connection', () => now().waiting)
      }
      if (commits) {
        const now = () => db.activity().commits ?? commits
        counter('database_commits_total', 'Commits, each of one write or more', () => now().groups)
        counter('database_writes_total', 'Writes that were committed', () => now().writes)
      }
      return db
    },
  }
}

/** Metrics that are looked up when somebody asks, and cost nothing until then. */
function readings(registry: Registry) {
  const options = (name: string, help: string, label?: string) => ({
    name,
    help,
    labelNames: label ? [label] : [],
    registers: [registry],
  })
  return {
    gauge: (name: string, help: string, read: Reading, label?: string) =>
      new Gauge({
        ...options(name, help, label),
        async collect() {
          for (const [labels, value] of series(await read(), label)) this.set(labels, value)
        },
      }),
    counter: (name: string, help: string, read: Reading, label?: string) =>
      new Counter({
        ...options(name, help, label),
        async collect() {
          const now = series(await read(), label)
          this.reset()
          for (const [labels, value] of now) this.inc(labels, value)
        },
      }),
  }
}

/** One number, or one for each value of a label. */
type Reading = () => number | object | Promise<number>

const series = (read: number | object, label = ''): [Record<string, string>, number][] =>
  typeof read === 'number'
    ? [[{}, read]]
    : Object.entries(read).map(([name, value]) => [{ [label]: name }, value])

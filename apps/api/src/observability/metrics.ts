import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client'
import { constraintOf, isUnavailable } from '../database/driver-errors.ts'
import type { OpenDatabase } from '../database/open.ts'
import type { Watch } from '../metric.ts'
import type { CompletedRequest } from '../server/log-requests.ts'
import { METHODS } from '../server/request-line.ts'

const BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
  10,
]

interface Watched {
  readonly server: {
    running(): number
    connections(): number
    readonly rejections: Readonly<Record<string, number>>
  }
  readonly database: Pick<OpenDatabase, 'poolWaiting'>
}

export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the response starts, by declared route, method and status',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers,
  })
  const errors = new Counter({
    name: 'database_errors_total',
    help: 'Number of database errors, violated constraints excluded, by kind',
    labelNames: ['kind'],
    registers,
  })
  // Prometheus' `increase()` ignores the first value of a time series, so each
  // series starts at 0.
  for (const kind of ['unavailable', 'unexpected']) errors.inc({ kind }, 0)
  const watch: Watch = ({ type, name, help, read }) =>
    void new { gauge: Gauge, counter: Counter }[type]({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  return {
    registry,
    countError(error: unknown): void {
      if (isUnavailable(error)) errors.inc({ kind: 'unavailable' })
      else if (constraintOf(error) === undefined)
        errors.inc({ kind: 'unexpected' })
    },
    onResponse({ route, method, status, ms }: CompletedRequest) {
      // A client could create any number of time series by unknown methods.
      const known = METHODS.includes(method) ? method : 'other'
      const labels = { route: route ?? 'unmatched', method: known, status }
      durations.observe(labels, ms / 1000)
    },
    watch,
    watchService({ server, database: { poolWaiting } }: Watched) {
      const gauge = (name: string, help: string, read: () => number) =>
        watch({ type: 'gauge', name, help, read })
      gauge(
        'http_requests_running',
        'Number of requests currently being processed',
        server.running,
      )
      gauge(
        'http_connections_open',
        'Number of open connections',
        server.connections,
      )
      new Counter({
        name: 'http_rejections_total',
        help: 'Number of rejected requests and connections, by reason',
        labelNames: ['reason'],
        registers,
        collect() {
          this.reset()
          for (const [reason, count] of Object.entries(server.rejections))
            this.inc({ reason }, count)
        },
      })
      if (poolWaiting)
        gauge(
          'database_pool_waiting',
          'Number of requests waiting for a connection',
          poolWaiting,
        )
    },
  }
}

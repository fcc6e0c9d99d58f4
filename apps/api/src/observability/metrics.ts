import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { constraintOf, isUnavailable } from '../database/errors.ts'
import { METHODS } from '../http/env.ts'
import type { CompletedRequest } from '../http/log-requests.ts'
import type { OpenDatabase } from '../open-database.ts'

/** Buckets in seconds, from the duration of a read to the time after which most clients have given up. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The parts of a running service that report numbers. */
export interface Watched {
  readonly server: {
    running(): number
    connections(): number
    readonly rejections: Readonly<Record<string, number>>
  }
  readonly log: { droppedLines(): number }
  readonly passwords: { stats(): { waiting: number; rejected: number } }
  readonly database: Pick<OpenDatabase, 'stats'>
}

/** Creates the metrics of requests and of Node. `watch` adds the metrics of the parts of a service. */
export function createMetrics(version: string) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the response starts, by declared route, method and status',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  const errors = { unavailable: 0, unexpected: 0 }
  const define = (...metric: Metric) => register(registry, ...metric)
  define(
    'database_errors_total',
    'Number of database errors, violated constraints excluded, by kind',
    () => errors,
    'kind',
  )
  define('build_info', 'Always 1, with the version of the service', () => ({ [version]: 1 }), 'version')
  /**
   * Counts an error of a statement by what the operator should do: wait (unavailable), or investigate (unexpected). A
   * violated constraint is an expected result, not an error.
   */
  function countError(error: unknown): void {
    if (isUnavailable(error)) errors.unavailable += 1
    else if (constraintOf(error) === undefined) errors.unexpected += 1
  }
  return {
    registry,
    countError,
    /** Records the duration of a request. */
    onResponse({ route, method, status, ms }: CompletedRequest) {
      // Replaces unknown methods and paths, because clients can send any, and each value would create a time series.
      const known = METHODS.includes(method)
      durations.observe({ route: route ?? 'unmatched', method: known ? method : 'other', status }, ms / 1000)
    },
    watch(watched: Watched) {
      for (const metric of metricsOf(watched)) define(...metric)
    },
  }
}

/** Returns one number, or one number for each value of a label. Called only at a scrape, so it costs nothing in between. */
type Read = () => number | Readonly<Record<string, number>>
type Metric = [name: string, help: string, read: Read, label?: string]

function metricsOf({ server, log, passwords, database }: Watched): Metric[] {
  const hashes = passwords.stats
  const { pool, files } = database.stats()
  const metrics: Metric[] = [
    ['http_requests_running', 'Number of requests currently being processed', server.running],
    ['http_connections_open', 'Number of open connections', server.connections],
    [
      'http_rejections_total',
      'Number of rejected requests and connections, by reason',
      () => server.rejections,
      'reason',
    ],
    ['log_lines_dropped_total', 'Number of log lines that standard output did not accept', log.droppedLines],
    ['password_hashes_waiting', 'Number of passwords waiting to be hashed', () => hashes().waiting],
    [
      'password_hashes_rejected_total',
      'Number of passwords rejected by a full queue',
      () => hashes().rejected,
    ],
  ]
  if (pool)
    metrics.push([
      'database_pool_waiting',
      'Number of requests waiting for a connection',
      () => database.stats().pool?.waiting ?? 0,
    ])
  if (files)
    metrics.push(
      [
        'database_file_bytes',
        'Size of the database file and of its write-ahead log',
        () => ({ database: files().database, wal: files().wal }),
        'file',
      ],
      ['database_disk_free_bytes', 'Free space on the disk of the database', () => files().free],
      [
        'database_last_backup_timestamp_seconds',
        'Time of the last completed backup, 0 without one',
        () => files().lastBackup,
      ],
    )
  return metrics
}

/** Registers a counter when the name ends with _total, and a gauge otherwise. */
function register(registry: Registry, ...[name, help, read, label]: Metric): void {
  const Class: typeof Gauge | typeof Counter = name.endsWith('_total') ? Counter : Gauge
  new Class({
    name,
    help,
    labelNames: label ? [label] : [],
    registers: [registry],
    collect() {
      const value = read()
      this.reset()
      if (label === undefined) this.inc(Number(value))
      else for (const [key, number] of Object.entries(value)) this.inc({ [label]: key }, number)
    },
  })
}

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { constraintOf, isUnavailable } from '../database/errors.ts'
import { REQUEST_METHODS } from '../http/env.ts'
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
  readonly passwords: { stats(): { running: number; waiting: number; rejected: number } }
  readonly database: Pick<OpenDatabase, 'stats'>
}

export type Metrics = ReturnType<typeof createMetrics>

/** Creates the metrics of requests and of Node. `watch` adds those of the parts of a service. */
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
  const help = 'Number of database errors, violated constraints excluded, by kind'
  const build = 'Always 1, with the version of the service'
  define(registry, Counter, 'database_errors_total', help, () => errors, 'kind')
  define(registry, Gauge, 'build_info', build, () => ({ [version]: 1 }), 'version')
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
    /** Returns a function that calls `work` and counts its error. */
    counted: (work: () => void) => () => {
      try {
        work()
      } catch (error) {
        countError(error)
        throw error
      }
    },
    /** Records the duration of a request. */
    onResponse({ route, method, status, ms }: CompletedRequest) {
      // Replaces unknown methods and paths, because clients can send any, and each value would create a time series.
      const known = REQUEST_METHODS.includes(method)
      durations.observe({ route: route ?? 'unmatched', method: known ? method : 'other', status }, ms / 1000)
    },
    watch: (watched: Watched) => watch(registry, watched),
  }
}

function watch(registry: Registry, { server, log, passwords, database }: Watched): void {
  const gauge = (name: string, help: string, read: Read, label?: string) =>
    define(registry, Gauge, name, help, read, label)
  const counter = (name: string, help: string, read: Read, label?: string) =>
    define(registry, Counter, `${name}_total`, help, read, label)
  const rejected = 'Number of requests and connections rejected by the server, by reason'
  const dropped = 'Number of log lines dropped because standard output accepted no data'
  gauge('http_requests_running', 'Number of requests currently being processed', server.running)
  gauge('http_connections_open', 'Number of open connections', server.connections)
  counter('http_rejections', rejected, () => server.rejections, 'reason')
  counter('log_lines_dropped', dropped, log.droppedLines)

  const hashes = passwords.stats
  const full = 'Number of passwords rejected because the queue was full'
  gauge('password_hashes_running', 'Number of passwords currently being hashed', () => hashes().running)
  gauge('password_hashes_waiting', 'Number of passwords waiting to be hashed', () => hashes().waiting)
  counter('password_hashes_rejected', full, () => hashes().rejected)

  const { pool, commits, files } = database.stats()
  if (pool) {
    const read = () => database.stats().pool ?? pool
    const connections = () => ({ busy: read().busy, idle: read().idle })
    const waiting = 'Number of requests waiting for a database connection'
    gauge('database_pool_connections', 'Number of database connections, by state', connections, 'state')
    gauge('database_pool_waiting', waiting, () => read().waiting)
  }
  if (commits) {
    const read = () => database.stats().commits ?? commits
    const help = 'Number of commits, each of which can contain several writes'
    counter('database_commits', help, () => read().commits)
    counter('database_writes', 'Number of committed writes', () => read().writes)
  }
  if (files) {
    const sizes = () => ({ database: files().database, wal: files().wal })
    const backup = 'Time at which the last backup was completed, 0 without one'
    gauge('database_file_bytes', 'Size of the database file and of its write-ahead log', sizes, 'file')
    gauge('database_disk_free_bytes', 'Free space on the disk of the database', () => files().free)
    gauge('database_last_backup_timestamp_seconds', backup, () => files().lastBackup)
  }
}

/** Returns one number, or one number for each value of a label. Called only at a scrape, so it costs nothing in between. */
type Read = () => number | Readonly<Record<string, number>>

function define(
  registry: Registry,
  Metric: typeof Gauge | typeof Counter,
  name: string,
  help: string,
  read: Read,
  label?: string,
): void {
  new Metric({
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

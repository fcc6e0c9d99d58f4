import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../database/database.ts'
import { ConstraintError } from '../database/errors.ts'
import { UnavailableError } from '../errors.ts'
import { type CompletedRequest, REQUEST_METHODS } from '../http/mount.ts'
import type { LogOutput } from './log-output.ts'

/** The parts of a running service that report numbers. */
interface WatchedService {
  readonly server: {
    running(): number
    connections(): number
    readonly rejections: Readonly<Record<string, number>>
  }
  readonly output: LogOutput
  readonly measurements: readonly {
    readonly type: 'gauge' | 'counter'
    readonly name: string
    readonly help: string
    read(): number
  }[]
}

/** Buckets in seconds, from the duration of a read to the time after which most clients have given up. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Creates all metrics of this process. */
export function createMeter(version: string) {
  const registry = new Registry()
  const metrics = lazyMetrics(registry)
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the response starts, by declared route, method and status',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  new Gauge({
    name: 'build_info',
    help: 'Always 1, with the version of the service',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1)
  return {
    registry,
    /** Records the duration of a request. */
    onResponse({ route, method, status, ms }: CompletedRequest) {
      // Replaces unknown methods and paths, because clients can send any, and each value would create a time series.
      const known = REQUEST_METHODS.includes(method)
      durations.observe({ route: route ?? 'unmatched', method: known ? method : 'other', status }, ms / 1000)
    },
    watchService({ server: { running, connections, rejections }, output, measurements }: WatchedService) {
      metrics.gauge('http_requests_running', 'Number of requests currently being processed', running)
      metrics.gauge('http_connections_open', 'Number of open connections', connections)
      metrics.counter(
        'http_rejections_total',
        'Number of requests and connections rejected before they reached the app, by reason',
        () => rejections,
        'reason',
      )
      metrics.counter(
        'log_lines_dropped_total',
        'Number of log lines dropped because standard output accepted no data',
        output.droppedLines,
      )
      for (const { type, name, help, read } of measurements) metrics[type](name, help, read)
    },
    /** Returns a database that counts the errors of `db`. Use it in place of `db`. */
    watchDatabase(opened: Database): Database {
      const { db, errors } = withErrorCounter(opened)
      metrics.counter(
        'database_errors_total',
        'Number of database errors, violated constraints excluded, by kind',
        () => errors,
        'kind',
      )
      const { pool, commits, files } = db.stats()
      if (pool) {
        const read = () => db.stats().pool ?? pool
        const connections = () => ({ busy: read().busy, idle: read().idle })
        metrics.gauge(
          'database_pool_connections',
          'Number of database connections, by state',
          connections,
          'state',
        )
        metrics.gauge(
          'database_pool_waiting',
          'Number of requests waiting for a database connection',
          () => read().waiting,
        )
      }
      if (files) {
        metrics.gauge(
          'database_file_bytes',
          'Size of the database file and of its write-ahead log',
          () => ({ database: files().database, wal: files().wal }),
          'file',
        )
        metrics.gauge(
          'database_disk_free_bytes',
          'Free space on the disk of the database',
          () => files().free,
        )
        metrics.gauge(
          'database_last_backup_timestamp_seconds',
          'Time at which the last backup was completed, 0 without one',
          () => files().lastBackup,
        )
      }
      if (commits) {
        const read = () => db.stats().commits ?? commits
        metrics.counter(
          'database_commits_total',
          'Number of commits, each of which can contain several writes',
          () => read().groups,
        )
        metrics.counter('database_writes_total', 'Number of committed writes', () => read().writes)
      }
      return db
    },
  }
}

/** Returns functions that define metrics whose values are read only at a scrape, so they cost nothing in between. */
function lazyMetrics(registry: Registry) {
  const options = (name: string, help: string, label?: string) => ({
    name,
    help,
    labelNames: label ? [label] : [],
    registers: [registry],
  })
  return {
    gauge: (name: string, help: string, read: Read, label?: string) =>
      new Gauge({
        ...options(name, help, label),
        async collect() {
          for (const [labels, value] of toSeries(await read(), label)) this.set(labels, value)
        },
      }),
    counter: (name: string, help: string, read: Read, label?: string) =>
      new Counter({
        ...options(name, help, label),
        async collect() {
          const series = toSeries(await read(), label)
          this.reset()
          for (const [labels, value] of series) this.inc(labels, value)
        },
      }),
  }
}

/** Returns one number, or one number for each value of a label. */
type Read = () => number | object | Promise<number>

const toSeries = (value: number | object, label = ''): [Record<string, string>, number][] =>
  typeof value === 'number'
    ? [[{}, value]]
    : Object.entries(value).map(([name, count]) => [{ [label]: name }, count])

/**
 * Wraps a database and counts its errors by what the operator should do: wait (unavailable), or investigate
 * (unexpected). A violated constraint is an expected result, not an error.
 */
function withErrorCounter(opened: Database) {
  const errors = { unavailable: 0, unexpected: 0 }
  const count = (error: unknown): never => {
    if (error instanceof UnavailableError) errors.unavailable += 1
    else if (!(error instanceof ConstraintError)) errors.unexpected += 1
    throw error
  }
  const db: Database = {
    ...opened,
    execute(statement, values) {
      try {
        const rows = opened.execute(statement, values)
        return rows instanceof Promise ? rows.catch(count) : rows
      } catch (error) {
        return count(error)
      }
    },
    writeAll: (work) => opened.writeAll(work).catch(count),
    ...(opened.read && { read: (work) => (opened.read as NonNullable<Database['read']>)(work).catch(count) }),
    assertDurable() {
      try {
        opened.assertDurable()
      } catch (error) {
        count(error)
      }
    },
  }
  return { db, errors }
}

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { startPgbouncer } from 'testkit/pgbouncer.ts'
import { startPostgres } from 'testkit/postgres.ts'
import { freshPostgresDatabase } from 'testkit/postgres-database.ts'
import { processorMsWithChildren, residentMegabytes } from 'testkit/process-stats.ts'
import { startDelayingProxy } from 'testkit/tcp-proxy.ts'
import { choices, defineCampaign, number, text } from '../kit/campaign.ts'
import { formatTable, type Table } from '../kit/report.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { copyInto, type Seeded, seed } from '../kit/seed.ts'
import { round } from '../kit/statistics.ts'
import { findWorkload, WORKLOADS } from '../kit/workloads.ts'
import { compareResponses } from './compare-responses.ts'
import { type Durations, type Measurements, measure } from './measure.ts'
import {
  DATABASES,
  type DatabaseName,
  DEFAULT_SERVERS,
  SERVERS,
  type ServerName,
  selectServers,
} from './servers.ts'
import { type Server, startServer } from './start-server.ts'
import { summarize, tabulate } from './tables.ts'

export const campaign = defineCampaign({
  summary: 'compares the service with peers in Node, Python and Go on copies of one database',
  duration: '12 to 25 minutes, 6 with --database postgres',
  needs: 'strace with --flush-delay, taskset with --pin',
  options: {
    database: choices('sqlite, postgres, or postgres behind pgbouncer', DATABASES, ['sqlite']),
    users: number('users in the database', 2000),
    rounds: number('measured rounds, after one to warm up', 5),
    seconds: number('duration of each measurement', 1),
    connections: number('clients', 64),
    distance: number('milliseconds that each packet to and from PostgreSQL is delayed', 0),
    'flush-delay': number('additional microseconds of each flush of a SQLite file', 0),
    log: choices('off, or on: a line for each request in a file', ['off', 'on'], ['off']),
    only: choices('workloads', Object.keys(WORKLOADS)),
    'synchronous-commit': choices('on or off, in PostgreSQL', ['on', 'off'], ['on']),
    servers: choices('servers', Object.keys(SERVERS) as ServerName[], DEFAULT_SERVERS),
    pin: choices(
      'off, or on: PostgreSQL runs on the second processor, the servers on the first',
      ['off', 'on'],
      ['off'],
    ),
    section: text('section of the document that --write replaces, with a table of the rates only'),
  },
  run: (options) => withScope((scope) => bench(scope, options)),
})

interface BenchOptions extends Durations {
  readonly database: readonly DatabaseName[]
  readonly users: number
  readonly distance: number
  readonly 'flush-delay': number
  readonly log: readonly ('off' | 'on')[]
  readonly only: readonly string[]
  readonly 'synchronous-commit': readonly ('on' | 'off')[]
  readonly servers: readonly ServerName[]
  readonly pin: readonly ('off' | 'on')[]
  readonly section: string | undefined
}

async function bench(scope: Scope, options: BenchOptions) {
  const { users, rounds, seconds, connections, distance, 'flush-delay': flushDelay, only } = options
  const [database = 'sqlite'] = options.database
  const [synchronousCommit = 'on'] = options['synchronous-commit']
  const [log = 'off'] = options.log
  const env: Record<string, string> = log === 'on' ? { LOG_LEVEL: 'info' } : {}
  const [pin = 'off'] = options.pin
  const isPostgres = database !== 'sqlite'
  const names = selectServers(options.servers, database)
  const seeded = await seed(join(scope.createFolder('api-bench-'), 'seed.db'), users)
  const { servers, databaseMs } = isPostgres
    ? await startOnPostgres(scope, names, seeded, {
        distance,
        isPooled: database === 'pgbouncer',
        env,
        isPinned: pin === 'on',
        flags: ['-c', `synchronous_commit=${synchronousCommit}`],
      })
    : { servers: await startAll(scope, names, seeded, env, delayFlushes(flushDelay)), databaseMs: undefined }
  const peers = servers.filter(({ name }) => name !== 'bare-hono')
  console.log(`${await compareResponses(peers, seeded)} responses are equal byte for byte\n`)

  const results: Record<string, Measurements> = {}
  for (const workload of only) {
    const measured = await measure(scope, workload, servers, options, seeded, databaseMs)
    results[workload] = measured
    console.log(`${findWorkload(workload).title}\n${formatTable(tabulate(workload, measured))}\n`)
  }
  const resources = {
    columns: ['measured', ...servers.map(({ name }) => SERVERS[name].title)],
    rows: [
      ['start to the first response', ...servers.map(({ startMs }) => `${round(startMs)} ms`)],
      [
        'resident memory at the end',
        ...servers.map(({ process }) => `${round(residentMegabytes(process.pid))} MB`),
      ],
    ],
  }
  const setting = [
    ...(distance > 0 ? [`PostgreSQL ${distance} ms away in each direction`] : []),
    ...(database === 'pgbouncer' ? ['PgBouncer in transaction mode'] : []),
    ...(synchronousCommit === 'off' ? ['synchronous_commit=off'] : []),
    ...(pin === 'on' ? ['PostgreSQL on one processor, the service on the other'] : []),
    ...(log === 'on' ? ['Requests logged to a file'] : []),
    ...(flushDelay > 0 ? [`${flushDelay} µs more for each flush`] : []),
    `${users.toLocaleString('en')} users`,
    `${connections} connections`,
    `medians of ${rounds} rounds of ${seconds} s`,
  ].join(', ')
  const tables = summarize(results, names)
  const versions = names.map((name) => `- ${SERVERS[name].title}: ${SERVERS[name].describe()}`)
  return {
    section: options.section ?? (isPostgres ? 'bench-postgres' : 'bench'),
    table: options.section
      ? `${setting}.\n\n${formatTable(tables[0] as Table)}`
      : [
          `${setting}.${isPostgres ? ' The processor time includes that of PostgreSQL.' : ''} In another run on the machine, a factor of the tables may be up to 1.5 times as high or low for processor time, 2.5 for rates and 8 for p99.`,
          ...[...tables, ...(isPostgres ? [] : [resources])].map(formatTable),
          versions.join('\n'),
        ].join('\n\n'),
    failures: [],
  }
}

async function startAll(
  scope: Scope,
  names: readonly ServerName[],
  seeded: Seeded,
  env: Record<string, string>,
  prefix: readonly string[],
): Promise<Server[]> {
  const servers: Server[] = []
  for (const name of names) servers.push(await startServer(scope, name, seeded, env, prefix))
  return servers
}

/** Returns a command that starts another command and delays its flushes to disk. */
function delayFlushes(us: number): string[] {
  if (us === 0) return []
  // -D makes the started process the server, not strace. --seccomp-bpf does not interrupt other system calls.
  const strace = ['strace', '-D', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null']
  return [...strace, '-e', 'trace=fdatasync,fsync', '-e', `inject=fdatasync,fsync:delay_enter=${us}`]
}

interface PostgresOptions {
  /** Delay of each packet in milliseconds. */
  readonly distance?: number
  readonly isPooled?: boolean
  readonly isPinned?: boolean
  readonly env?: Record<string, string>
  readonly flags?: string[]
}

/** Starts servers. Each has its own database on one PostgreSQL server, which flushes each commit. */
export async function startOnPostgres(
  scope: Scope,
  names: readonly ServerName[],
  seeded: Seeded,
  { distance = 0, isPooled = false, isPinned = false, env = {}, flags = [] }: PostgresOptions = {},
): Promise<{ servers: Server[]; databaseMs: () => number }> {
  const database = await startPostgres({ isDurable: true, flags })
  scope.defer(database.stop)
  const pid = await database.readPid()
  if (isPinned) execFileSync('taskset', ['--cpu-list', '--pid', '1', `${pid}`]) // pins the server and its backends
  const prefix = isPinned ? ['taskset', '--cpu-list', '0'] : []
  const template = await freshPostgresDatabase(database.url)
  await copyInto(template.url, seeded)
  const servers: Server[] = []
  for (const name of names) {
    const { url } = await freshPostgresDatabase(database.url, new URL(template.url).pathname.slice(1))
    const proxy = distance > 0 ? await startDelayingProxy(url, distance) : undefined
    if (proxy) scope.defer(proxy.close)
    const pooler = isPooled
      ? await startPgbouncer(url, { mode: 'transaction', serverConnections: 10 })
      : undefined
    if (pooler) scope.defer(pooler.stop)
    const DATABASE_URL = pooler?.url ?? proxy?.url ?? url
    const variables = { ...env, DATABASE_URL, ...(pooler && { PREPARE: 'never' }) }
    servers.push(await startServer(scope, name, seeded, variables, prefix))
  }
  return { servers, databaseMs: () => processorMsWithChildren(pid) }
}

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { startPgbouncer } from 'testkit/pgbouncer.ts'
import { startPostgres } from 'testkit/postgres.ts'
import { freshPostgresDatabase } from 'testkit/postgres-database.ts'
import { processorMsWithChildren, residentMegabytes } from 'testkit/process-stats.ts'
import { formatTable } from 'testkit/tables.ts'
import { startDelayingProxy } from 'testkit/tcp-proxy.ts'
import { choice, choices, defineCampaign, number, text, type Values } from '../kit/campaign.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { copyInto, type Seeded, seed } from '../kit/seed.ts'
import { round } from '../kit/statistics.ts'
import { WORKLOADS } from '../kit/workloads.ts'
import { compareResponses } from './compare-responses.ts'
import { type Measurements, measure } from './measure.ts'
import { DATABASES, DEFAULT_SERVERS, SERVERS, type ServerName, selectServers } from './servers.ts'
import { type Server, startServer } from './start-server.ts'
import { printFigures, summarize } from './tables.ts'

const OPTIONS = {
  database: choice('sqlite, postgres, or postgres behind pgbouncer', DATABASES),
  users: number('users in the database', 2000),
  rounds: number('measured rounds, after one to warm up', 5),
  seconds: number('duration of each measurement', 1),
  connections: number('clients', 64),
  distance: number('milliseconds that each packet to and from PostgreSQL is delayed', 0),
  'flush-delay': number('additional microseconds of each flush of a SQLite file', 0),
  log: choice('off, or on: a line for each request in a file', ['off', 'on']),
  only: choices('workloads', Object.keys(WORKLOADS)),
  'synchronous-commit': choice('on or off, in PostgreSQL', ['on', 'off']),
  servers: choices('servers', Object.keys(SERVERS) as ServerName[], DEFAULT_SERVERS),
  pin: choice('off, or on: PostgreSQL runs on the second processor, the servers on the first', ['off', 'on']),
  section: text('section of the document that --write replaces, with a table of the rates only'),
}

export const campaign = defineCampaign({
  summary: 'compares the service with peers in Node, Python and Go on copies of one database',
  duration: '12 to 25 minutes, 6 with --database postgres',
  needs: 'strace with --flush-delay, taskset with --pin',
  options: OPTIONS,
  run: (options) => withScope((scope) => bench(scope, options)),
})

async function bench(scope: Scope, options: Values<typeof OPTIONS>) {
  const { database, users, rounds, seconds, connections, distance, log, pin } = options
  const { 'flush-delay': flushDelay, 'synchronous-commit': synchronousCommit } = options
  const env: Record<string, string> = log === 'on' ? { LOG_LEVEL: 'info' } : {}
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
    : await startOnSqlite(scope, names, seeded, env, flushDelay)
  const peers = servers.filter(({ name }) => name !== 'bare-hono')
  console.log(`${await compareResponses(peers, seeded)} responses are equal byte for byte\n`)

  const results: Record<string, Measurements> = {}
  for (const workload of options.only) {
    const measured = await measure(scope, workload, servers, options, seeded, databaseMs)
    results[workload] = measured
    printFigures(workload, measured)
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
  if (options.section)
    return { section: options.section, table: `${setting}.\n\n${formatTable(tables[0])}`, failures: [] }
  const tolerance =
    'In another run on the machine, a factor of the tables may be up to 1.5 times as high or low for processor time, 2.5 for rates and 8 for p99.'
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
  const table = [
    `${setting}.${isPostgres ? ' The processor time includes that of PostgreSQL.' : ''} ${tolerance}`,
    ...[...tables, ...(isPostgres ? [] : [resources])].map(formatTable),
    names.map((name) => `- ${SERVERS[name].title}: ${SERVERS[name].describe()}`).join('\n'),
  ].join('\n\n')
  return { section: isPostgres ? 'bench-postgres' : 'bench', table, failures: [] }
}

interface Started {
  readonly servers: Server[]
  /** Returns the processor time of the database server, if there is one. */
  readonly databaseMs: () => number
}

/** Starts servers. Each has its own copy of a SQLite file. */
async function startOnSqlite(
  scope: Scope,
  names: readonly ServerName[],
  seeded: Seeded,
  env: Record<string, string>,
  flushDelay: number,
): Promise<Started> {
  const servers: Server[] = []
  for (const name of names)
    servers.push(await startServer(scope, name, seeded, env, delayFlushes(flushDelay)))
  return { servers, databaseMs: () => 0 }
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
): Promise<Started> {
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

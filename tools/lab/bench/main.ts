import { residentMegabytes } from 'testkit/process-stats.ts'
import { formatTable } from 'testkit/tables.ts'
import { z } from 'zod'
import { names as namesOf, positive, runCommand } from '../kit/command.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { round } from '../kit/statistics.ts'
import { compareResponses } from './compare-responses.ts'
import { type Measurements, measure } from './measure.ts'
import { DATABASES, SERVER_NAMES, SERVERS, selectServers } from './servers.ts'
import { startServers } from './start-server.ts'
import { printFigures, summarize } from './tables.ts'
import { WORKLOADS } from './workloads.ts'

/**
 * `pnpm bench:api`: compares the service with peers in Node and Python on
 * copies of one database.
 */
const OPTIONS = {
  database: z.enum(DATABASES).default('sqlite').describe('sqlite or postgres'),
  users: positive(2000).describe('users in the database: 2000'),
  rounds: positive(5).describe('measured rounds, after one to warm up: 5'),
  seconds: positive(1).describe('duration of each measurement: 1'),
  connections: positive(64).describe('clients: 64'),
  only: namesOf(Object.keys(WORKLOADS)).describe(
    `workloads: ${Object.keys(WORKLOADS)}`,
  ),
  servers: namesOf(SERVER_NAMES).describe(`servers: ${SERVER_NAMES}`),
}

const TOLERANCE =
  'In another run on the machine, a factor of the tables may be up to 1.5 times as high or low for processor time, and 2.5 for rates.'

await runCommand(OPTIONS, (options) =>
  withScope((scope) => bench(scope, options)),
)

async function bench(
  scope: Scope,
  options: z.output<z.ZodObject<typeof OPTIONS>>,
) {
  const { database, users, rounds, seconds, connections } = options
  const names = selectServers(database, options.servers)
  const started = await startServers(scope, names, database, users)
  const { servers, seeded } = started
  console.log(
    `${await compareResponses(servers, seeded)} responses are equal byte for byte\n`,
  )

  const results: Record<string, Measurements> = {}
  for (const workload of options.only) {
    const measured = await measure(scope, workload, options, started)
    results[workload] = measured
    printFigures(workload, measured)
  }
  const setting = [
    `${users.toLocaleString('en')} users`,
    `${connections} connections`,
    `medians of ${rounds} rounds of ${seconds} s`,
  ].join(', ')
  const tables = summarize(results, names)
  const isPostgres = database === 'postgres'
  const resources = {
    columns: ['measured', ...servers.map(({ name }) => SERVERS[name].title)],
    rows: [
      [
        'start to the first response',
        ...servers.map(({ startMs }) => `${round(startMs)} ms`),
      ],
      [
        'resident memory at the end',
        ...servers.map(
          ({ process }) => `${round(residentMegabytes(process.pid))} MB`,
        ),
      ],
    ],
  }
  const table = [
    `${setting}.${isPostgres ? ' The processor time includes PostgreSQL.' : ''} ${TOLERANCE}`,
    ...[...tables, ...(isPostgres ? [] : [resources])].map(formatTable),
    names
      .map((name) => `- ${SERVERS[name].title}: ${SERVERS[name].describe()}`)
      .join('\n'),
  ].join('\n\n')
  return {
    section: isPostgres ? 'bench-postgres' : 'bench',
    table,
    failures: [],
  }
}

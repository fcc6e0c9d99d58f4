import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { defineCampaign, number, type Report } from '../kit/campaign.ts'
import type { Table } from '../kit/report.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { startDatabase } from '../kit/service.ts'
import { quantile, round } from '../kit/statistics.ts'
import { startClients } from './clients.ts'
import { countBrokenReferences, countLostRows, countRows } from './compare.ts'
import { createTables } from './schema.ts'

const require = createRequire(import.meta.url)
const COMMAND = join(
  dirname(require.resolve('typed-id/package.json')),
  require('typed-id/package.json').bin['typed-id'],
)
const TYPES = ['--type', 'users.id=user', '--type', 'teams.id=team']

export const campaign = defineCampaign({
  summary:
    'turns bare uuids into typed ids with typed-id migrate while clients read and write; no row and no reference is lost',
  duration: '3 minutes',
  options: {
    rows: number('rows in five tables', 1_000_000),
    clients: number('readers, and as many writers', 4),
    seconds: number('duration of the measurement before the migration', 10),
    kills: number('how often the migration is killed, on average after the same time, and resumed', 3),
  },
  run: migrateIds,
})

/** Migrates five tables to typed ids while clients use them, and compares the rows. */
export function migrateIds(options: {
  rows: number
  clients: number
  seconds: number
  kills: number
}): Promise<Report & { readonly table: Table }> {
  return withScope(async (scope) => {
    const { url } = await startDatabase(scope, 'postgres')
    const db = new pg.Client(url)
    await db.connect()
    scope.defer(() => db.end())
    await createTables(db, options.rows)
    const rows = await countRows(db)
    const known = (await db.query('select id from users limit 1000')).rows.map(({ id }) => String(id))
    const clients = await startClients(url, options.clients, known)
    scope.defer(clients.stop)
    await sleep(options.seconds * 1000)
    const baseline = { reads: clients.reads.length, writes: clients.writes.length }
    const started = performance.now()
    const args = [...TYPES, '--database', url, '--strategy', 'online', '--apply']
    const { code, output, kills } = await runWithKills(scope, args, options)
    const duration = performance.now() - started
    await sleep(1000) // requests after the migration
    await clients.stop()

    const lost = await countLostRows(db, clients.users)
    const broken = await countBrokenReferences(db)
    const locks = [...output.matchAll(/locked for (\d+) ms/g)].map(([, ms]) => Number(ms))
    const split = (times: readonly number[], end: number): Times => ({
      before: times.slice(0, end),
      during: times.slice(end),
    })
    const writes = split(clients.writes, baseline.writes)
    const reads = split(clients.reads, baseline.reads)
    const failures = [
      ...(code === 0 ? [] : [`typed-id migrate exited with ${code}: ${output}`]),
      ...(lost === 0 ? [] : [`${lost} rows were lost or changed`]),
      ...(broken === 0 ? [] : [`${broken} references or constraints are broken`]),
      ...(clients.repeated > 0 ? [] : ['no client has noticed the switch']),
      ...clients.failures,
    ]
    return {
      table: {
        columns: ['migration of bare uuids to typed ids', 'result'],
        rows: [
          ['rows in five tables', rows.toLocaleString('en')],
          ['rows lost', `${lost}`],
          ['references broken', `${broken}`],
          ['requests that failed', `${clients.failures.length}`],
          ['requests repeated in the new form at the switch', `${clients.repeated}`],
          ['times that the migration was killed and resumed', `${kills}`],
          ['duration of the migration', `${round(duration / 1000)} s`],
          ['longest lock of a step', `${Math.max(...locks)} ms`],
          ['longest time a writer waited', describeLongest(writes)],
          ['longest time a reader waited', describeLongest(reads)],
          ['writes, before and during', describeRates(writes)],
          ['reads, before and during', describeRates(reads)],
        ],
      },
      failures,
    }
  })
}

/** The durations of requests. */
interface Times {
  readonly before: readonly number[]
  readonly during: readonly number[]
}

const describeLongest = ({ before, during }: Times) =>
  `${round(Math.max(...during))} ms (${round(Math.max(...before))} ms before the migration)`

const describeRates = (times: Times) =>
  [times.before, times.during]
    .map((all) => `${all.length.toLocaleString('en')} with a median of ${round(quantile(all, 0.5), 1)} ms`)
    .join(', ')

/** Runs the command until it is complete. It is killed with SIGKILL after 0.5 to 1.5 times the seconds. */
async function runWithKills(scope: Scope, args: string[], limits: { seconds: number; kills: number }) {
  let output = ''
  for (let kills = 0; ; kills += 1) {
    const timeoutMs =
      kills < limits.kills ? Math.round((0.5 + Math.random()) * limits.seconds * 1000) : undefined
    const result = await runCommand(scope, args, timeoutMs)
    output += result.output
    if (result.code !== null) return { code: result.code, output, kills }
  }
}

/** Returns the exit code of the command, or null if it was killed. */
async function runCommand(
  scope: Scope,
  args: string[],
  timeoutMs?: number,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [COMMAND, 'migrate', 'plan', ...args], {
    cwd: import.meta.dirname, // the driver is imported from here
    stdio: ['ignore', 'pipe', 'pipe'],
    killSignal: 'SIGKILL',
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
  })
  scope.own(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  const [code] = await once(child, 'close')
  return { code, output }
}

import { parseArgs } from 'node:util'
import type { Logger } from 'pino'
import type { Config } from '../composition/config.ts'
import type { Database } from '../database/database.ts'
import { openDatabase, reasonOf } from '../database/open.ts'
import { insertSamples, type SampleRows } from '../database/samples.ts'
import { inSetting, OperatorError } from '../errors.ts'
import { commandLine } from './program.ts'
import { progressBar } from './progress-bar.ts'

/** Ten million users take about 5 GB. */
const MAX_USERS = 10_000_000

/**
 * Fills a database with users, teams and roles for load tests. On a signal to stop, the command ends after the current
 * batch, so the stored rows are consistent.
 *
 * @throws OperatorError when a signal or the database stopped the command, with the command for the remaining users.
 */
export async function seed(
  { profile, profileName, database }: Config,
  log: Logger,
  args: string[],
  terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  stopSignal: Promise<string>,
): Promise<void> {
  const { createSamples, migrations, tables = [] } = profile
  if (createSamples === undefined) throw new OperatorError(`seed: PROFILE=${profileName} has no sample data`)
  const { users: total, adding } = readArguments(args)
  if (database.url.endsWith(':memory:'))
    throw new OperatorError(
      `seed: expected a file or a server as DATABASE_URL, received ${database.url}, whose rows end with this process`,
    )
  const stopping = new AbortController()
  void stopSignal.then(() => stopping.abort())
  const started = performance.now()
  const db = await openDatabase(database, migrations, { tables }).catch(inSetting('DATABASE_URL'))
  let done = 0
  let reason = 'stopped'
  const { draw, end } = progressBar(terminal, 'users')
  try {
    await insertSamples(db, createSamples({ users: total, fixed: false }), {
      empty: adding ? [] : tables,
      signal: stopping.signal,
      onBatch({ users = [] }) {
        done += users.length
        draw({ phase: 'seeding', done, total })
      },
    }).catch((error) => {
      if (error instanceof OperatorError) return inSetting('seed')(error)
      reason = `${reasonOf(error)},` // an error of the database, or of the connection to it
    })
  } finally {
    end()
    await db.close()
  }
  if (done < total)
    throw new OperatorError(
      `seed: ${reason} after ${done} of ${total} users; to continue: ${commandLine(`seed --users ${total - done} --add`)}`,
    )
  log.info({ users: done, ms: Math.round(performance.now() - started) }, 'seed completed')
}

function readArguments(args: string[]): { users: number; adding: boolean } {
  const usage = `seed: expected --users with a number from 1 to ${MAX_USERS}, and --add to keep existing rows: ${commandLine('seed --users 1000000')}`
  const options = {
    users: { type: 'string', multiple: true },
    add: { type: 'boolean', default: false },
  } as const
  try {
    const { users: numbers = [], add } = parseArgs({ args, options }).values
    const users = numbers.join() // two numbers are not a number
    if (/^[1-9]\d*$/.test(users) && Number(users) <= MAX_USERS) return { users: Number(users), adding: add }
  } catch {}
  throw new OperatorError(usage)
}

const DEMO_USERS = 200

/** Returns a function that fills an empty database with demo data, the same rows each time. Stores all rows or none. */
export function fillWithDemo({ profile, profileName }: Config, log: Logger): (db: Database) => Promise<void> {
  const { createSamples, tables = [] } = profile
  if (createSamples === undefined)
    throw new OperatorError(`--demo: PROFILE=${profileName} has no sample data`)
  return async (db) => {
    const rows: SampleRows = Object.assign({}, ...createSamples({ users: DEMO_USERS, fixed: true }))
    await insertSamples(db, [rows], { empty: tables }).catch((error) => {
      throw new OperatorError(`--demo: ${reasonOf(error)}`, { cause: error })
    })
    const counts = Object.fromEntries(Object.entries(rows).map(([name, { length }]) => [name, length]))
    log.info({ rows: counts }, 'demo data stored')
  }
}

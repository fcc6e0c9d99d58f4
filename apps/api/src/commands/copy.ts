import { parseArgs } from 'node:util'
import type { Logger } from 'pino'
import { PROFILES } from '../app.ts'
import { type Config, ConfigError, IN_MEMORY, readDatabaseUrl } from '../config.ts'
import { openDatabase } from '../database/connect.ts'
import { copyTables } from '../database/copy.ts'
import { progressBar } from '../progress.ts'

/** No statement of a copy is too slow: counting ten million rows takes longer than a request may. */
const STATEMENT_TIMEOUT_MS = 3_600_000

/** Copies every row of one database into another, empty one, all or nothing. */
export async function copy(
  config: Config,
  log: Logger,
  args: string[],
  terminal: NodeJS.WriteStream,
  root: string,
) {
  const { migrations, tables } = PROFILES[config.profile]
  if (tables === undefined) throw new ConfigError(`copy has nothing to do with PROFILE=${config.profile}`)
  const urls = readArguments(args, root)
  const started = performance.now()
  const options = { ...config.database, statementTimeoutMs: STATEMENT_TIMEOUT_MS }
  const source = { ...options, url: urls.from, variable: '--from', existing: true }
  const from = await openDatabase(source, migrations, { migrating: false })
  try {
    const to = await openDatabase({ ...options, url: urls.to, variable: '--to' }, migrations)
    try {
      const copied = await copyTables(from, to, tables, progressBar(terminal))
      log.info({ tables: copied, ms: Math.round(performance.now() - started) }, 'copied and checked')
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}

/** What is given is not shown: it may hold a password. */
function readArguments(args: string[], root: string): { from: string; to: string } {
  const usage = new ConfigError('copy takes two databases: pnpm --filter api copy --from URL --to URL')
  const option = { type: 'string' } as const
  let values: { from?: string; to?: string }
  try {
    values = parseArgs({ args, options: { from: option, to: option } }).values
  } catch {
    throw usage
  }
  if (!values.from || !values.to) throw usage
  const from = readDatabaseUrl('--from', values.from, root)
  const to = readDatabaseUrl('--to', values.to, root)
  if ([from, to].includes(IN_MEMORY)) throw new ConfigError(`copy: ${IN_MEMORY} ends with its process`)
  return { from, to }
}

import { parseArgs } from 'node:util'
import type { Logger } from 'pino'
import type { Config } from '../composition/config.ts'
import { parseDatabaseUrl } from '../composition/variables.ts'
import { copyTables } from '../database/copy.ts'
import { openDatabase } from '../database/open.ts'
import { inSetting, OperatorError } from '../errors.ts'
import { commandLine } from './program.ts'
import { progressBar } from './progress-bar.ts'

/** Higher than the limit for requests, because counting ten million rows takes longer. */
const STATEMENT_TIMEOUT_MS = 3_600_000

/** Copies every row of one database into another, empty one. All rows are copied, or none. */
export async function copy(
  config: Config,
  log: Logger,
  args: string[],
  terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  root: string,
): Promise<void> {
  const { migrations, tables } = config.profile
  if (tables === undefined)
    throw new OperatorError(
      `copy: PROFILE=${config.profileName} keeps its records in memory, there is nothing to copy`,
    )
  const { from, to } = readArguments(args, root)
  const started = performance.now()
  const options = { ...config.database, statementTimeoutMs: STATEMENT_TIMEOUT_MS }
  const source = await openDatabase({ ...options, ...from, mustExist: true }, migrations, {
    migrating: false,
    migrateCommand: commandLine('migrate'),
  }).catch(inSetting('--from'))
  try {
    const target = await openDatabase({ ...options, ...to }, migrations).catch(inSetting('--to'))
    try {
      const { draw, end } = progressBar(terminal)
      const copied = await copyTables(source, target, tables, draw).catch(describe).finally(end)
      log.info({ tables: copied, ms: Math.round(performance.now() - started) }, 'copy completed')
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Both databases are open and checked, so any other error comes from a database or from the connection to it. */
function describe(error: unknown): never {
  if (error instanceof OperatorError) throw error
  throw new OperatorError(`copy failed and can be repeated: ${(error as Error).message}`, { cause: error })
}

/** Reads the arguments. Error messages do not quote them, because a URL can contain a password. */
function readArguments(args: string[], root: string) {
  const usage = new OperatorError(`copy: expected two databases: ${commandLine('copy --from URL --to URL')}`)
  const option = { type: 'string', multiple: true } as const
  let values: { from?: string[]; to?: string[] }
  try {
    values = parseArgs({ args, options: { from: option, to: option } }).values
  } catch {
    throw usage
  }
  const [source, target, ...more] = [...(values.from ?? []), ...(values.to ?? [])]
  if (values.from?.length !== 1 || !source || !target || more.length > 0) throw usage
  const from = parseDatabaseUrl('--from', source, root)
  const to = parseDatabaseUrl('--to', target, root)
  for (const { url } of [from, to])
    if (url.endsWith(':memory:')) throw new OperatorError(`copy: ${url} ends with its process`)
  return { from, to }
}

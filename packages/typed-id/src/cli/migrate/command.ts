import { escapeText, put, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { type Arguments, parseArguments } from './arguments.ts'
import type { Context } from './context.ts'
import { MigrationError } from './error.ts'
import { migratePostgres } from './postgres/migrate.ts'
import { migrateSqlite } from './sqlite/migrate.ts'

const ENGINES: readonly [RegExp, (args: Arguments, context: Context) => Promise<void>][] = [
  [/^postgres(ql)?:/, migratePostgres],
  [/^sqlite:/, migrateSqlite],
]

/** Runs `typed-id migrate`, and returns the exit code: 1 if the database cannot be migrated, 130 after Ctrl-C. */
export async function migrate(args: string[], { version, stdout, stderr }: Terminal): Promise<number> {
  const parsed = parseArguments(args)
  const [, run] = ENGINES.find(([url]) => url.test(parsed.database)) ?? []
  if (!run) throw new UsageError('--database expects a URL: postgres://… or sqlite:<path>')
  const controller = new AbortController()
  const interrupt = () => controller.abort()
  process.once('SIGINT', interrupt)
  try {
    await run(parsed, { version, signal: controller.signal, print: (text) => put(stdout, `${text}\n`) })
    return 0
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error
    await put(stderr, `typed-id: ${error.message.split('\n').map(escapeText).join('\n')}\n`)
    return controller.signal.aborted ? 130 : 1
  } finally {
    process.off('SIGINT', interrupt)
  }
}

import { fileURLToPath } from 'node:url'
import { PROFILES } from '../app.ts'
import { readConfig } from '../config.ts'
import { openDatabase } from '../database/open.ts'
import { OperatorError } from '../errors.ts'
import {
  createLog,
  createLogOutput,
  createPrettyFormat,
  type LogOutput,
} from '../observability/log.ts'
import { commandLine, IS_BUILT, start, VERSION } from './start.ts'

const ROOT = fileURLToPath(
  new URL(IS_BUILT ? './' : '../../../../', import.meta.url),
)

const HELP = `typed-id-api ${VERSION}

Usage: ${commandLine('COMMAND')}

  start         Serve requests; the default
  start --demo  Fill an empty database first
  migrate       Apply pending migrations and end
  --help        Print this text
  --version     Print the version

Environment variables configure the service, such as PORT and DATABASE_URL.
All of them, and their defaults: docs/operations/configuration.md
`

export interface Process {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: { readonly fd: number; readonly isTTY: boolean }
  readonly stopSignal: Promise<string>
}

export async function run(of: Process): Promise<number> {
  const { stdout, env } = of
  const isPretty = env.LOG_FORMAT ? env.LOG_FORMAT === 'pretty' : stdout.isTTY
  const format = isPretty
    ? await createPrettyFormat(stdout.isTTY && !env.NO_COLOR)
    : undefined
  const output = createLogOutput(stdout, format)
  try {
    await runCommand(of, output, isPretty)
    return 0
  } catch (error) {
    console.error(error instanceof OperatorError ? error.message : error)
    return 1
  } finally {
    await output.close()
  }
}

async function runCommand(
  { argv, env, stdout, stopSignal }: Process,
  output: LogOutput,
  isPretty: boolean,
): Promise<void> {
  if (argv[0] === '-h' || argv[0] === 'help' || argv.includes('--help'))
    return output.print(HELP)
  if (argv[0] === '--version' || argv[0] === '-v')
    return output.print(`${VERSION}\n`)
  const config = readConfig(env, ROOT)
  const log = createLog(config.logLevel, output)
  const demo = argv.at(-1) === '--demo'
  switch (argv.join(' ')) {
    case '':
    case 'start':
    case '--demo':
    case 'start --demo':
      return start(config, {
        log,
        output,
        stopSignal,
        demo,
        isTerminal: stdout.isTTY,
        isPretty,
      })
    case 'migrate': {
      const { migrations } = PROFILES[config.profileName]
      const opened = await Promise.race([
        openDatabase(config.database, migrations),
        stopSignal,
      ])
      if (typeof opened === 'string')
        throw new OperatorError(`${opened} before the schema was up to date`)
      await opened.close()
      return log.info(
        { migrations: Object.keys(migrations) },
        'schema is up to date',
      )
    }
    default:
      throw new OperatorError(
        `expected start, start --demo or migrate, received ${JSON.stringify(argv.join(' '))}`,
      )
  }
}

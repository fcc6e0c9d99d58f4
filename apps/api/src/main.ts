import { fileURLToPath } from 'node:url'
import { backup } from './commands/backup.ts'
import { COMMAND_NAMES, describeSettings, helpText } from './commands/help.ts'
import { migrate } from './commands/migrate.ts'
import { IS_BUILT, VERSION } from './commands/program.ts'
import { StoppedEarly, start } from './commands/start.ts'
import { readConfig } from './composition/config.ts'
import { OperatorError } from './errors.ts'
import { createLog } from './observability/log.ts'
import { createLogOutput } from './observability/log-output.ts'

/** Start of relative paths: the root of the repository, or the folder of main.js in a build. */
const ROOT = fileURLToPath(new URL(IS_BUILT ? './' : '../../../', import.meta.url))

const output = createLogOutput(process.stdout)
// Without a listener, the signal opens Node's inspector, through which any local user can run code in this process.
process.on('SIGUSR1', () => {})
try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof StoppedEarly)) {
    console.error(error instanceof OperatorError ? error.message : error)
    process.exitCode = 1
  }
} finally {
  await output.close()
  // A standard output that accepts no data would keep the process running.
  process.exit()
}

async function main(argv: string[]): Promise<void> {
  const [command, ...args] = argv[0] === undefined || argv[0] === '--demo' ? ['start', ...argv] : argv
  // Handled before the configuration is read, because an invalid configuration is a reason to ask for help.
  if (command === '-h' || command === 'help' || argv.includes('--help')) return output.write(helpText())
  if (command === '--version' || command === '-v') return output.write(`${VERSION}\n`)
  const config = readConfig(process.env, ROOT)
  if ((command === 'check' || command === 'migrate') && args.length > 0)
    throw new OperatorError(`${command}: expected no arguments`)
  const log = createLog(config.logLevel, output)
  switch (command) {
    case 'start':
      if (args.length > 1 || (args.length === 1 && args[0] !== '--demo'))
        throw new OperatorError('start: expected no argument or --demo')
      return start(config, log, output, stopSignal(), { demo: args.length === 1 })
    case 'check':
      return output.write(describeSettings(process.env, config.profile))
    case 'migrate':
      return migrate(config, log)
    case 'backup':
      // pnpm runs a script in the folder of its package. INIT_CWD is the folder in which pnpm was started.
      return backup(config, log, args, process.env.INIT_CWD || process.cwd(), process.stderr, stopSignal())
    default:
      throw new OperatorError(
        `unknown command ${JSON.stringify(command)}: expected ${COMMAND_NAMES}; --help describes them`,
      )
  }
}

/** Resolves when the process receives a signal to stop. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, resolve)
  })
}

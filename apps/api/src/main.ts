import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { backup } from './commands/backup.ts'
import { copy } from './commands/copy.ts'
import { migrate } from './commands/migrate.ts'
import { start } from './commands/start.ts'
import { supervise } from './commands/supervise.ts'
import { readConfig } from './config/config.ts'
import { OperatorError } from './errors.ts'
import { createLog } from './observability/log.ts'

/** The root of the repository: this file is apps/api/src/main.ts, or apps/api/dist/main.js when built. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof OperatorError ? error.message : error)
  process.exitCode = 1
} finally {
  cluster.worker?.disconnect() // an open channel to the supervisor would keep a worker running
}

async function main([command = 'start', ...args]: string[]): Promise<void> {
  const config = readConfig(process.env, ROOT)
  const log = createLog(config.logLevel)
  switch (command) {
    case 'start':
      return config.workers > 1 && cluster.isPrimary
        ? supervise(config, log, stopSignal())
        : start(config, log, stopSignal())
    case 'migrate':
      return migrate(config, log)
    case 'backup':
      // pnpm runs a script in the folder of its package. INIT_CWD is the folder in which pnpm was started.
      return backup(config, log, args, process.env.INIT_CWD || process.cwd())
    case 'copy':
      return copy(config, log, args, process.stderr, ROOT)
    default:
      throw new OperatorError(
        `unknown command ${JSON.stringify(command)}: expected start, migrate, backup or copy`,
      )
  }
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
}

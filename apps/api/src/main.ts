import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { backup } from './commands/backup.ts'
import { copy } from './commands/copy.ts'
import { migrate } from './commands/migrate.ts'
import { start } from './commands/start.ts'
import { supervise } from './commands/supervise.ts'
import { ConfigError, readConfig } from './config.ts'
import { createLog } from './log.ts'

/** This file is apps/api/src/main.ts, and apps/api/dist/main.js once built. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
} finally {
  cluster.worker?.disconnect() // the channel to the supervisor would keep a worker running
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
      // pnpm runs commands in the folder of their package, and tells where it was called.
      return backup(config, log, args, process.env.INIT_CWD || process.cwd())
    case 'copy':
      return copy(config, log, args, process.stderr, ROOT)
    default:
      throw new ConfigError(`unknown command ${JSON.stringify(command)}: start, migrate, backup or copy`)
  }
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
}

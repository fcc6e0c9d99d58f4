import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { type Config, IN_MEMORY } from '../config.ts'
import { backupSqlite } from '../database/backup.ts'
import { OperatorError } from '../errors.ts'
import { commandLine } from './program.ts'

/** Copies the database into a new file while services use it. A relative file starts at `folder`. */
export async function backup({ database: { url } }: Config, log: Logger, args: string[], folder: string) {
  const [name, ...rest] = args
  if (!name || name.startsWith('-') || rest.length > 0)
    throw new OperatorError(`backup: expected one FILE to create: ${commandLine('backup FILE')}`)
  if (!url.startsWith('sqlite:'))
    throw new OperatorError(
      'DATABASE_URL is a PostgreSQL server: back it up with pg_dump --format=custom --file=FILE URL',
    )
  if (url === IN_MEMORY)
    throw new OperatorError('DATABASE_URL is in memory: it ends with its process, so there is no backup')
  const file = resolve(folder, name)
  const started = performance.now()
  const bytes = await backupSqlite(url.slice('sqlite:'.length), file)
  log.info({ file, bytes, ms: Math.round(performance.now() - started) }, 'backup completed')
}

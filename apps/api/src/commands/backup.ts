import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { type Config, IN_MEMORY } from '../config.ts'
import { backupSqlite } from '../database/sqlite/backup.ts'
import { OperatorError } from '../errors.ts'
import { commandLine } from './program.ts'

/**
 * Copies the database into a new file while services use it. A relative file starts at `folder`. On a signal to stop,
 * the command ends and leaves no file.
 */
export async function backup(
  { database }: Config,
  log: Logger,
  args: string[],
  folder: string,
  stopSignal: Promise<string>,
): Promise<void> {
  const [name, ...rest] = args
  if (!name || name.startsWith('-') || rest.length > 0)
    throw new OperatorError(`backup: expected one FILE to create: ${commandLine('backup FILE')}`)
  const file = resolve(folder, name)
  const started = performance.now()
  const stopping = new AbortController()
  void stopSignal.then(() => stopping.abort())
  const options = { signal: stopping.signal, onProgress() {} }
  const bytes = await backupSqlite(fileOf(database.url), file, options)
  log.info({ file, bytes, ms: Math.round(performance.now() - started) }, 'backup completed')
}

/** Returns the file of a SQLite database. */
function fileOf(url: string): string {
  if (!url.startsWith('sqlite:'))
    throw new OperatorError(
      'DATABASE_URL is a PostgreSQL server: back it up with pg_dump --format=custom --file=FILE URL',
    )
  if (url === IN_MEMORY)
    throw new OperatorError(
      'DATABASE_URL is in memory: it ends with its process, so there is nothing to back up',
    )
  return url.slice('sqlite:'.length)
}

import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { type Config, ConfigError } from '../config.ts'
import { backup as backUp } from '../database/backup.ts'

/** Copies the database into a new file while services use it; a relative file counts from `folder`. */
export async function backup(
  { database }: Config,
  log: Logger,
  args: string[],
  folder: string,
): Promise<void> {
  const [name, ...rest] = args
  if (!name || name.startsWith('-') || rest.length > 0)
    throw new ConfigError('backup takes one FILE, which it creates: pnpm --filter api backup FILE')
  const file = resolve(folder, name)
  const started = performance.now()
  const bytes = await backUp(database.url, file)
  log.info({ file, bytes, ms: Math.round(performance.now() - started) }, 'backed up')
}

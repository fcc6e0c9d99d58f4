import { resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../composition/config.ts'
import { OperatorError } from '../errors.ts'

/** Copies the database into a new file while services use it. A relative file starts at `folder`. */
export async function backup(
  { database }: Config,
  log: Logger,
  args: string[],
  folder: string,
): Promise<void> {
  const [name, ...rest] = args
  if (!name || name.startsWith('-') || rest.length > 0)
    throw new OperatorError('backup: expected one FILE to create: pnpm --filter api backup FILE')
  const file = resolve(folder, name)
  const started = performance.now()
  const bytes = await database.engine.backup(database.url, file)
  log.info({ file, bytes, ms: Math.round(performance.now() - started) }, 'backup completed')
}

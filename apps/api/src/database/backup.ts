import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, open, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { ConfigError } from '../config.ts'

/**
 * Copies the database of a URL into a new file, while services use it, and returns the size of the copy in bytes.
 *
 * VACUUM INTO reads one state of the database from beginning to end: every write answered before, none by half. Writes
 * go on meanwhile and do not disturb it (the backup API begins anew whenever another process writes). The file gets its
 * name when it is complete, checked and on disk: a backup that was cut off is not there.
 */
export async function backup(url: string, file: string): Promise<number> {
  const source = sourceOf(url)
  if (existsSync(file)) throw new ConfigError(`${file} is there already: a backup does not overwrite`)
  const partial = `${file}.${randomUUID()}.partial`
  try {
    // The hashes of passwords are in it: nobody may read it who may not read the database.
    await (await open(partial, 'wx', (await stat(source)).mode)).close()
    copyInto(source, partial)
    check(partial)
    await flush(partial)
    await link(partial, file) // which, unlike a renaming, refuses to overwrite
    await flush(dirname(file))
    return (await stat(file)).size
  } catch (error) {
    throw new ConfigError(`cannot back up ${source} to ${file}: ${(error as Error).message}`)
  } finally {
    await rm(partial, { force: true })
  }
}

function sourceOf(url: string): string {
  const file = url.replace(/^sqlite:/, '')
  if (file === url)
    throw new ConfigError(
      'DATABASE_URL is a PostgreSQL server: pg_dump --format=custom --file=FILE URL backs it up',
    )
  if (file === ':memory:')
    throw new ConfigError('DATABASE_URL is in memory: it ends with its process, there is nothing to back up')
  if (!existsSync(file)) throw new ConfigError(`DATABASE_URL: ${file} is not there`)
  return file
}

function copyInto(source: string, file: string): void {
  const db = new Sqlite(source, { fileMustExist: true })
  try {
    db.prepare('vacuum into ?').run(file)
  } finally {
    db.close()
  }
}

function check(file: string): void {
  const db = new Sqlite(file, { readonly: true })
  try {
    const found = [
      ...(db.pragma('integrity_check(1)') as { integrity_check: string }[]).map((row) => row.integrity_check),
      ...(db.pragma('foreign_key_check') as { table: string }[]).map(
        (row) => `${row.table} has a broken reference`,
      ),
    ].find((problem) => problem !== 'ok')
    if (found !== undefined) throw new Error(found)
  } finally {
    db.close()
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync()
  await handle.close()
}

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, open, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { OperatorError } from '../../errors.ts'
import { OWNER_ONLY } from './create-file.ts'

/**
 * Copies a SQLite file into a new file while services use it, and returns the size of the copy in bytes.
 *
 * VACUUM INTO reads one state of the database: every write acknowledged before, no partial write. Writes continue in
 * the meantime. (SQLite's backup API would start over whenever another process writes.) The copy is written to a
 * temporary file, checked and flushed before it receives its name, so an interrupted backup leaves no file.
 */
export async function backupSqlite(source: string, file: string): Promise<number> {
  if (source === ':memory:')
    throw new OperatorError(
      'DATABASE_URL is in memory: it ends with its process, so there is nothing to back up',
    )
  if (!existsSync(source)) throw new OperatorError(`DATABASE_URL: ${source} does not exist`)
  if (existsSync(file)) throw new OperatorError(`${file} exists already: a backup does not overwrite a file`)
  assertSeparate(file)
  const partial = `${file}.${randomUUID()}.partial`
  try {
    await (await open(partial, 'wx', OWNER_ONLY)).close()
    copyInto(source, partial)
    check(partial)
    await flush(partial)
    await link(partial, file) // unlike rename, link fails when the file exists
    await flush(dirname(file))
    return (await stat(file)).size
  } catch (error) {
    throw new OperatorError(`cannot back up ${source} to ${file}: ${(error as Error).message}`)
  } finally {
    await rm(partial, { force: true })
  }
}

/** Throws when SQLite would take the file for a part of a database, or another file for a part of this one. */
function assertSeparate(file: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) {
    if (file.endsWith(suffix))
      throw new OperatorError(
        `${file}: expected a name that does not end with ${suffix}, which SQLite gives to a part of a database`,
      )
    if (existsSync(file + suffix))
      throw new OperatorError(
        `${file}${suffix} exists already: SQLite would take it for a part of the backup`,
      )
  }
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
    const integrity = db.pragma('integrity_check(1)') as { integrity_check: string }[]
    const references = db.pragma('foreign_key_check') as { table: string }[]
    const problem = [
      ...integrity.map((row) => row.integrity_check).filter((result) => result !== 'ok'),
      ...references.map(({ table }) => `${table} has a broken reference`),
    ][0]
    if (problem !== undefined) throw new Error(problem)
  } finally {
    db.close()
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync()
  await handle.close()
}

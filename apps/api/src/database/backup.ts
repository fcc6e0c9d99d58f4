import { existsSync } from 'node:fs'
import { chmod, link, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { OperatorError } from '../errors.ts'
import { OWNER_ONLY, timeOfBackup } from './sqlite.ts'

/**
 * Copies a SQLite file into a new file while services use it, and returns the size of the copy in bytes. The copy is one
 * state of the database. It is checked and flushed before it receives its name. The time of the backup is written beside
 * the source, for the metrics of the services that use it.
 *
 * @throws OperatorError when the backup fails. It then leaves no file.
 */
export async function backupSqlite(source: string, file: string): Promise<number> {
  if (!existsSync(source)) throw new OperatorError(`DATABASE_URL: ${source} does not exist`)
  for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`])
    if (existsSync(path))
      throw new OperatorError(`${path} exists already: a backup does not overwrite a file`)
  const partial = `${file}.${process.pid}.partial`
  try {
    await writeFile(partial, '', { flag: 'wx', mode: OWNER_ONLY })
    withFile(source, (db) => db.prepare('vacuum into ?').run(partial))
    withFile(partial, check)
    await flush(partial)
    await link(partial, file) // unlike rename, link fails when the file exists
    await flush(dirname(file))
    await storeTime(source)
    return (await stat(file)).size
  } catch (error) {
    throw new OperatorError(`cannot back up ${source} to ${file}: ${(error as Error).message}`)
  } finally {
    await rm(partial, { force: true })
  }
}

function withFile(file: string, work: (db: Sqlite.Database) => void): void {
  const db = new Sqlite(file, { fileMustExist: true })
  try {
    work(db)
  } finally {
    db.close()
  }
}

function check(db: Sqlite.Database): void {
  const integrity = db.pragma('integrity_check(1)', { simple: true })
  if (integrity !== 'ok') throw new Error(String(integrity))
  const [broken] = db.pragma('foreign_key_check') as { table: string }[]
  if (broken) throw new Error(`${broken.table} has a broken reference`)
}

/** Everyone may read the time: root may make the backups of a service that runs as another user. */
async function storeTime(source: string): Promise<void> {
  const time = timeOfBackup(source)
  await writeFile(`${time}.new`, `${Date.now() / 1000}\n`)
  await chmod(`${time}.new`, 0o644) // whatever the umask is
  await rename(`${time}.new`, time)
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync()
  await handle.close()
}

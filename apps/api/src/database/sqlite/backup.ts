import { existsSync } from 'node:fs'
import { chmod, link, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { OperatorError } from '../../errors.ts'
import { OWNER_ONLY, timeOfBackup } from './file.ts'

/** Number of pages, 4 MB, that are copied between two pauses in which the process can receive a signal. */
const STEP_PAGES = 1000

export interface BackupOptions {
  /** Stops the backup. */
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number) => void
}

/**
 * Copies a SQLite file into a new file while services use it, and returns the size of the copy in bytes. The copy is one
 * state of the database. It is checked and flushed before it receives its name. The time of the backup is written beside
 * the source, for the metrics of the services that use it.
 *
 * @throws OperatorError when the backup fails or is stopped. Then there is no file.
 */
export async function backupSqlite(source: string, file: string, options: BackupOptions): Promise<number> {
  if (!existsSync(source)) throw new OperatorError(`DATABASE_URL: ${source} does not exist`)
  const suffix = /-(?:wal|shm|journal)$/.exec(file)?.[0]
  if (suffix)
    throw new OperatorError(
      `${file}: expected a name that does not end with ${suffix}, which SQLite gives to a part of a database`,
    )
  for (const path of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`])
    if (existsSync(path))
      throw new OperatorError(`${path} exists already: a backup does not overwrite a file`)
  const partial = `${file}.${process.pid}.partial`
  try {
    await writeFile(partial, '', { flag: 'wx', mode: OWNER_ONLY })
    await copyInto(source, partial, options)
    check(partial)
    options.signal.throwIfAborted()
    await flush(partial)
    await link(partial, file) // unlike rename, link fails when the file exists
    await flush(dirname(file))
    await storeTime(source).catch((error: Error) => {
      throw new OperatorError(`${file} is complete, but its time cannot be stored: ${error.message}`)
    })
    return (await stat(file)).size
  } catch (error) {
    if (error instanceof OperatorError) throw error
    if (options.signal.aborted) throw new OperatorError(`the backup was stopped: ${file} was not created`)
    throw new OperatorError(`cannot back up ${source} to ${file}: ${(error as Error).message}`)
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) await rm(partial + suffix, { force: true })
  }
}

async function copyInto(source: string, file: string, { signal, onProgress }: BackupOptions): Promise<void> {
  const db = new Sqlite(source, { fileMustExist: true })
  try {
    // The read transaction keeps the state that is copied. Otherwise SQLite would restart the copy whenever another
    // process writes.
    db.exec('begin; select 1 from sqlite_schema')
    const { totalPages } = await db.backup(file, {
      progress({ totalPages, remainingPages }) {
        signal.throwIfAborted()
        onProgress(totalPages - remainingPages, totalPages)
        return STEP_PAGES
      },
    })
    onProgress(totalPages, totalPages)
  } finally {
    db.close()
  }
}

/** Checks the copy, and makes it a single file by leaving WAL, the journal mode of its source. */
function check(file: string): void {
  const db = new Sqlite(file, { fileMustExist: true })
  try {
    db.pragma('journal_mode = DELETE')
    const integrity = db.pragma('integrity_check(1)', { simple: true })
    if (integrity !== 'ok') throw new Error(String(integrity))
    const [broken] = db.pragma('foreign_key_check') as { table: string }[]
    if (broken) throw new Error(`${broken.table} has a broken reference`)
  } finally {
    db.close()
  }
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

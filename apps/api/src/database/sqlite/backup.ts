import { existsSync } from 'node:fs'
import { chmod, type FileHandle, link, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { OperatorError } from '../../errors.ts'
import type { BackupOptions } from '../engine.ts'
import { OWNER_ONLY, timeOfBackup } from './file.ts'

/** Number of pages, 4 MB, that are copied between two pauses in which the process can receive a signal. */
const STEP_PAGES = 1000

/**
 * Copies a SQLite file into a new file while services use it, and returns the size of the copy in bytes.
 *
 * The copy is one state of the database, with every write acknowledged before and no partial write. Writes continue in
 * the meantime. The copy is written to a temporary file, checked and flushed before it receives its name. A failed or
 * stopped backup removes its file. After a killed backup, the next one in the folder removes the file. The time of a
 * complete backup is written beside the source, for the metrics of the services that use the source.
 */
export async function backupSqlite(source: string, file: string, options: BackupOptions): Promise<number> {
  if (source === ':memory:')
    throw new OperatorError(
      'DATABASE_URL is in memory: it ends with its process, so there is nothing to back up',
    )
  if (!existsSync(source)) throw new OperatorError(`DATABASE_URL: ${source} does not exist`)
  if (existsSync(file)) throw new OperatorError(`${file} exists already: a backup does not overwrite a file`)
  assertSeparate(file)
  const folder = dirname(file)
  const partial = join(folder, `typed-id-backup.${process.pid}.partial`)
  let handle: FileHandle | undefined
  try {
    await removeLeftovers(folder)
    handle = await open(partial, 'wx', OWNER_ONLY)
    await copyInto(source, partial, options)
    check(partial)
    options.signal.throwIfAborted()
    await handle.sync()
    if (!(await isAt(handle, partial)))
      throw new Error('another backup into the same folder has removed the temporary file')
    await link(partial, file) // unlike rename, link fails when the file exists
    await flush(folder)
    await storeTime(source).catch((error: Error) => {
      throw new OperatorError(`${file} is complete, but its time cannot be stored: ${error.message}`)
    })
    return (await stat(file)).size
  } catch (error) {
    if (error instanceof OperatorError) throw error
    if (options.signal.aborted) throw new OperatorError(`the backup was stopped: ${file} was not created`)
    throw new OperatorError(`cannot back up ${source} to ${file}: ${(error as Error).message}`)
  } finally {
    if (handle && (await isAt(handle, partial))) await removePartial(partial)
    await handle?.close() // open until now, or a new file could reuse its inode
  }
}

/**
 * Returns whether a path still leads to an open file. A backup in another container has other process ids, so it can
 * take the temporary file of this backup for a leftover, and create its own file under the same name.
 */
async function isAt(handle: FileHandle, path: string): Promise<boolean> {
  const [{ dev, ino }, found] = await Promise.all([handle.stat(), stat(path).catch(() => undefined)])
  return found?.dev === dev && found.ino === ino
}

/** Throws when SQLite would take the file for a part of a database, or another file for a part of the file. */
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

/** Removes the temporary files of backups whose processes have ended. Called before this process creates its own. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [partial, pid] = /^typed-id-backup\.(\d+)\.partial/.exec(name) ?? []
    if (partial !== undefined && !isOtherProcess(Number(pid))) await removePartial(join(folder, partial))
  }
}

function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes a temporary file and the files that SQLite has created beside it. */
async function removePartial(partial: string): Promise<void> {
  for (const suffix of ['', '-journal', '-wal', '-shm']) await rm(partial + suffix, { force: true })
}

async function copyInto(source: string, file: string, { signal, onProgress }: BackupOptions): Promise<void> {
  const db = new Sqlite(source, { fileMustExist: true })
  try {
    // The read transaction keeps the state that is copied. Otherwise SQLite would restart the copy whenever another
    // process writes.
    db.exec('begin; select 1 from sqlite_schema')
    const { totalPages: total } = await db.backup(file, {
      progress({ totalPages: total, remainingPages }) {
        signal.throwIfAborted()
        onProgress({ phase: 'copying', done: total - remainingPages, total })
        return STEP_PAGES
      },
    })
    onProgress({ phase: 'copying', done: total, total })
  } finally {
    db.close()
  }
}

/** Checks the copy, and makes it a single file by leaving WAL, the journal mode of its source. */
function check(file: string): void {
  const db = new Sqlite(file, { fileMustExist: true })
  try {
    db.pragma('journal_mode = DELETE')
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

/**
 * Stores the time of a backup. Everyone may read it, whatever the umask, because root may make the backups of a service
 * that runs as another user. Renames the file into place, so that no metric reads an empty file.
 */
async function storeTime(source: string): Promise<void> {
  const time = timeOfBackup(source)
  const next = `${time}.new`
  await rm(next, { force: true })
  await writeFile(next, `${Date.now() / 1000}\n`)
  await chmod(next, 0o644)
  await rename(next, time)
}

async function flush(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
}

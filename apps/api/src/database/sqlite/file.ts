import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { UnavailableError } from '../../errors.ts'

/** File mode of a database and its copies, which contain password hashes. SQLite gives it to the `-wal` and `-shm` files, too. */
export const OWNER_ONLY = 0o600

/**
 * Creates an empty file, and its folders, unless they exist.
 *
 * @throws Error when the file cannot be used: SQLite would open a read-only file and fail at the first write.
 */
export function createFile(file: string): void {
  fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (!fs.existsSync(file)) fs.closeSync(fs.openSync(file, 'a', OWNER_ONLY))
  fs.accessSync(file, fs.constants.W_OK)
  // SQLite names the -wal file after the database, so services on two links would overwrite each other's writes.
  if (fs.statSync(file).nlink > 1) throw new Error('the file has several hard links: expected one')
}

/**
 * Returns a function that checks, in 1 µs, that the files of an open SQLite database are those that they are now. Otherwise
 * it throws an UnavailableError: SQLite keeps writing into a file that was removed or replaced, and those writes are lost
 * when the process ends. If `file` is a link, the `-wal` file is beside its target.
 */
export function createFileCheck(file: string): () => void {
  const files = [file, `${fs.realpathSync(file)}-wal`]
  const identities = () => files.map(identityOf).join()
  const opened = identities()
  return function assertSameFile() {
    if (identities() !== opened) throw new UnavailableError(`${file} was removed or replaced while in use`)
  }
}

function identityOf(file: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false })
  return stat ? `${stat.dev}:${stat.ino}` : 'none'
}

/** The file, beside a database and not beside a link to it, with the time of its last backup, in seconds since 1970. */
export const timeOfBackup = (file: string): string => `${fs.realpathSync(file)}.last-backup`

/** Returns sizes in bytes, and the time of the last backup in seconds since 1970 (0 without one). NaN if unreadable. */
export function fileStats(file: string) {
  const sizeOf = (path: string) => fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0
  try {
    const time = timeOfBackup(file)
    const { bavail, bsize } = fs.statfsSync(dirname(file))
    const lastBackup = fs.existsSync(time) ? Number(fs.readFileSync(time, 'utf8')) : 0
    return { database: sizeOf(file), wal: sizeOf(`${file}-wal`), free: bavail * bsize, lastBackup }
  } catch {
    return { database: Number.NaN, wal: Number.NaN, free: Number.NaN, lastBackup: Number.NaN }
  }
}

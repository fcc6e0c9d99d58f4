import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { UnavailableError } from '../../errors.ts'

/** File mode of a database and its copies, which contain password hashes. SQLite gives it to the `-wal` and `-shm` files, too. */
export const OWNER_ONLY = 0o600
const OWNER_ONLY_FOLDER = 0o700

/**
 * Creates an empty file, and its folders, unless they exist.
 *
 * @throws Error when the file exists and cannot be written: SQLite would open it and fail at the first write.
 */
export function createFile(file: string): void {
  createFolder(dirname(file))
  if (existsSync(file)) accessSync(file, constants.W_OK)
  else closeSync(openSync(file, 'a', OWNER_ONLY))
}

/** Avoids `recursive`, with which `mkdir` never returns if a folder such as /proc permits none (Node 20 to 24). */
function createFolder(folder: string): void {
  if (existsSync(folder)) return
  createFolder(dirname(folder))
  if (!existsSync(folder)) mkdirSync(folder, OWNER_ONLY_FOLDER)
}

/**
 * Returns a function that checks, in 1 µs, that the files of an open SQLite database have not been removed or replaced.
 * Otherwise it throws an UnavailableError: SQLite keeps writing into the old file, and those writes are lost when the
 * process ends. The first call records the files, so make it inside a transaction, when both exist. If `file` is a
 * link, the `-wal` file is beside its target.
 */
export function createFileCheck(file: string): () => void {
  const files = [file, `${realpathSync(file)}-wal`]
  let recorded: string | undefined
  return function assertSameFile() {
    const found = files.map(identityOf).join()
    recorded ??= found
    if (found !== recorded) throw new UnavailableError(`${file} was removed or replaced while in use`)
  }
}

function identityOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat ? `${stat.dev}:${stat.ino}` : 'none'
}

/** The file, beside a database and not beside a link to it, with the time of its last backup, in seconds since 1970. */
export const timeOfBackup = (file: string): string => `${realpathSync(file)}.last-backup`

/**
 * Returns the sizes in bytes of a database file, of its write-ahead log and of the free space on its disk (NaN if the
 * folder is missing), and the time of its last backup in seconds since 1970 (0 if no time can be read).
 */
export function fileStats(file: string) {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return {
    database: sizeOf(file),
    wal: sizeOf(`${file}-wal`),
    free: freeBytes(file),
    lastBackup: lastBackup(file),
  }
}

function freeBytes(file: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(file))
    return bavail * bsize
  } catch {
    return Number.NaN
  }
}

function lastBackup(file: string): number {
  try {
    return Number(readFileSync(timeOfBackup(file), 'utf8')) || 0
  } catch {
    return 0
  }
}

import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

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

/** `mkdir` with `recursive` never returns below a folder such as /proc, in which no folder can be created (Node 20 to 24). */
function createFolder(folder: string): void {
  if (existsSync(folder)) return
  createFolder(dirname(folder))
  if (!existsSync(folder)) mkdirSync(folder, OWNER_ONLY_FOLDER)
}

import * as fs from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { UnavailableError } from '../errors.ts'
import type { Engine } from './engine.ts'
import { GroupCommitDialect } from './group-commit/dialect.ts'

const MEMORY = ':memory:'

/**
 * How long a start waits for the lock, in milliseconds. SQLite's own wait
 * blocks the event loop, which is idle here.
 */
const START_TIMEOUT_MS = 5000

/**
 * Opens `sqlite:<file>`, which is created if it is missing, or
 * `sqlite::memory:`.
 */
export async function openSqlite(url: string): Promise<Engine> {
  const file = url.slice('sqlite:'.length)
  if (file === MEMORY)
    return { dialect: new GroupCommitDialect({ writer: connect(MEMORY) }) }
  createFile(file)
  const [writer, reader] = [connect(file), connect(file)]
  return {
    dialect: new GroupCommitDialect({
      writer,
      reader,
      onBegin: createFileCheck(file),
    }),
  }
}

/**
 * `synchronous = FULL` flushes the disk at each commit, so that an acknowledged
 * write survives a power failure.
 */
function connect(file: string): Sqlite.Database {
  const connection = new Sqlite(file, { timeout: START_TIMEOUT_MS })
  connection.pragma('journal_mode = WAL')
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.exec('select 1 from sqlite_master') // creates the -wal file
  return connection
}

/**
 * File mode of a database, which contains password hashes. SQLite gives it to
 * the `-wal` and `-shm` files, too.
 */
const OWNER_ONLY = 0o600

/**
 * Creates an empty file, and its folders, unless they exist.
 *
 * @throws Error when the file cannot be used: SQLite would open a read-only
 * file and fail at the first write.
 */
function createFile(file: string): void {
  fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (!fs.existsSync(file)) fs.closeSync(fs.openSync(file, 'a', OWNER_ONLY))
  fs.accessSync(file, fs.constants.W_OK)
  const stats = fs.statSync(file)
  if (stats.isDirectory()) throw new Error('this is a folder: expected a file')
  if (!stats.isFile())
    throw new Error('this is a device or a pipe: expected a file')
  // SQLite names the -wal file after the database, so services on two links
  // would overwrite each other's writes.
  if (stats.nlink > 1)
    throw new Error('the file has several hard links: expected one')
}

/**
 * Returns a function that throws, after 1 µs, when the files of a database are
 * not those that SQLite has opened. It would keep writing into removed ones,
 * and acknowledged writes would be lost with the process.
 */
function createFileCheck(file: string): () => void {
  const files = [file, `${fs.realpathSync(file)}-wal`] // beside the target of a link
  const identities = () =>
    files
      .map((each) => fs.statSync(each, { throwIfNoEntry: false })?.ino)
      .join()
  const opened = identities()
  return () => {
    if (identities() !== opened)
      throw new UnavailableError(`${file} was removed or replaced while in use`)
  }
}

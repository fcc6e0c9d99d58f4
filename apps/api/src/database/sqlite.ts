import * as fs from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { UnavailableError } from '../errors.ts'
import type { Engine } from './engine.ts'
import { GroupCommitDialect } from './group-commit/dialect.ts'

const MEMORY = ':memory:'

/** How long SQLite may block the event loop while another process holds the lock. The dialect does the rest of the waiting. */
const BUSY_TIMEOUT_MS = 10

/** How long a start waits for the lock, in milliseconds. SQLite's own wait blocks the event loop, which is idle here. */
const START_TIMEOUT_MS = 5000

/** Opens `sqlite:<file>`, which is created if it is missing, or `sqlite::memory:`. */
export async function openSqlite(url: string): Promise<Engine> {
  const file = url.slice('sqlite:'.length)
  if (file === MEMORY) {
    const dialect = new GroupCommitDialect({ writer: connect(MEMORY) })
    return { dialect, assertDurable() {} }
  }
  createFile(file)
  const [writer, reader] = [connect(file), connect(file)]
  const assertDurable = createFileCheck(file)
  const dialect = new GroupCommitDialect({ writer, reader, onBegin: assertDurable })
  return { dialect, assertDurable }
}

/** `synchronous = FULL` flushes the disk at each commit, so that an acknowledged write survives a power failure. */
function connect(file: string): Sqlite.Database {
  const connection = new Sqlite(file, { timeout: START_TIMEOUT_MS })
  connection.pragma('journal_mode = WAL')
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  connection.exec('select 1 from sqlite_master') // creates the -wal file
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
  return connection
}

/** File mode of a database, which contains password hashes. SQLite gives it to the `-wal` and `-shm` files, too. */
const OWNER_ONLY = 0o600

/**
 * Creates an empty file, and its folders, unless they exist.
 *
 * @throws Error when the file cannot be used: SQLite would open a read-only file and fail at the first write.
 */
function createFile(file: string): void {
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
function createFileCheck(file: string): () => void {
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

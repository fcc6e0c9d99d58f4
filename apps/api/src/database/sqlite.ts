import * as fs from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { UnavailableError } from '../errors.ts'
import type { Engine } from './engine.ts'
import { GroupCommitDialect } from './group-commit/dialect.ts'
import { waitForLock } from './group-commit/statements.ts'

const MEMORY = ':memory:'

/**
 * Opens `sqlite:<file>`, which is created if it is missing, or
 * `sqlite::memory:`.
 */
export async function openSqlite(url: string): Promise<Engine> {
  const file = url.slice('sqlite:'.length)
  if (file === MEMORY)
    return {
      dialect: new GroupCommitDialect({ writer: await connect(MEMORY) }),
    }
  createFile(file)
  const [writer, reader] = [await connect(file), await connect(file)]
  // Ends a checkpoint that a crash interrupted: `createFileCheck` would see it
  // as running.
  writer.pragma('wal_checkpoint')
  return {
    dialect: new GroupCommitDialect({
      writer,
      reader,
      check: createFileCheck(file),
    }),
  }
}

/**
 * Opens a connection. `synchronous = FULL` flushes the disk at each commit, so
 * that an acknowledged write survives a power failure.
 */
async function connect(file: string): Promise<Sqlite.Database> {
  const connection = new Sqlite(file, { timeout: 0 })
  await waitForLock(() => {
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    connection.exec('select 1 from sqlite_master') // creates the -wal file
  })
  return connection
}

/**
 * File mode of a database, which contains password hashes. SQLite gives it to
 * the `-wal` and `-shm` files, too.
 */
const OWNER_ONLY = 0o600

/**
 * Creates a folder, and the folders above it. Node's option `recursive` repeats
 * forever where a folder cannot be created, as in /proc.
 */
function createFolder(path: string): void {
  if (fs.existsSync(path)) return
  createFolder(dirname(path))
  try {
    fs.mkdirSync(path, 0o700)
  } catch (error) {
    if (!fs.existsSync(path)) throw error // another process may have created it
  }
}

/**
 * Creates an empty file, and its folders, unless they exist.
 *
 * @throws Error when the file cannot be used: SQLite would open a read-only
 * file and fail at the first write.
 */
function createFile(file: string): void {
  createFolder(dirname(file))
  if (!fs.existsSync(file)) fs.closeSync(fs.openSync(file, 'a', OWNER_ONLY))
  fs.accessSync(file, fs.constants.W_OK)
  const stats = fs.statSync(file)
  if (stats.isDirectory()) throw new Error('this is a folder: expected a file')
  if (!stats.isFile())
    throw new Error('this is a device or a pipe: expected a file')
  // SQLite names the -wal file after the database, so services that open two
  // hard links of one file would overwrite each other's writes.
  if (stats.nlink > 1)
    throw new Error('the file has several hard links: expected one')
}

/**
 * Returns a function that throws when another program than SQLite has changed
 * the files of a database. Takes 3 µs. SQLite would keep writing into removed
 * or overwritten files, and acknowledged writes would be lost.
 *
 * SQLite writes to the file itself only in a checkpoint, which it records in
 * the -shm file (https://sqlite.org/walformat.html): the salt of the -wal file,
 * the number of checkpointed frames, and before a checkpoint starts, the number
 * of frames that it attempts. A file that has changed without a change there
 * was overwritten, unless a checkpoint runs.
 */
function createFileCheck(file: string): () => void {
  // SQLite creates the -wal and -shm files beside the file to which a link
  // leads.
  const target = fs.realpathSync(file)
  // Keeps the -shm file open: closing it would release SQLite's locks in this
  // process.
  const shm = fs.openSync(`${target}-shm`, 'r')
  function readCheckpoints() {
    const bytes = Buffer.alloc(132)
    fs.readSync(shm, bytes, 0, bytes.length, 0)
    const parts = [
      [32, 40],
      [96, 100],
      [128, 132],
    ] as const
    const [salt, done, attempted] = parts.map((range) =>
      bytes.toString('hex', ...range),
    )
    return {
      state: `${salt} ${done} ${attempted}`,
      isRunning: done !== attempted,
    }
  }
  function readFiles() {
    const stats = [file, `${target}-wal`, `${target}-shm`].map((each) =>
      fs.statSync(each, { throwIfNoEntry: false }),
    )
    const [main] = stats
    return {
      // A file system that is restored from a snapshot has the same inodes on
      // another device.
      identities: stats.map((each) => each && `${each.dev} ${each.ino}`).join(),
      version: `${main?.mtimeMs} ${main?.size}`,
    }
  }
  const { identities } = readFiles()
  let checkpoints = readCheckpoints()
  let { version } = readFiles()
  return () => {
    const before = readCheckpoints()
    const now = readFiles()
    if (now.identities !== identities)
      throw new UnavailableError(`${file} was removed or replaced while in use`)
    if (now.version !== version) {
      const after = readCheckpoints()
      if (after.state === checkpoints.state && !after.isRunning)
        throw new UnavailableError(`${file} was overwritten while in use`)
    }
    // The checkpoints were read before the files, so a checkpoint between the
    // two reads explains the next change of the version.
    checkpoints = before
    ;({ version } = now)
  }
}

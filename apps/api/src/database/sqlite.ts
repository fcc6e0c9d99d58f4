import * as fs from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { UnavailableError } from '../errors.ts'
import type { Engine } from './engine.ts'
import { GroupCommitDialect } from './group-commit/dialect.ts'
import { waitForLock } from './group-commit/statements.ts'

const MEMORY = ':memory:'

export async function openSqlite(url: string): Promise<Engine> {
  const file = url.slice('sqlite:'.length)
  if (file === MEMORY)
    return {
      dialect: new GroupCommitDialect({ writer: await connect(MEMORY) }),
    }
  createFile(file)
  const writer = await connect(file)
  // Read-only, because a writable connection can run a checkpoint when it
  // closes. If another process has replaced the database file, the checkpoint
  // would overwrite the new file.
  const reader = await connect(file, { readonly: true })
  const check = createFileCheck(file, writer)
  return {
    dialect: new GroupCommitDialect({ writer, reader, check }),
    check,
  }
}

async function connect(
  file: string,
  options: Sqlite.Options = {},
): Promise<Sqlite.Database> {
  const connection = new Sqlite(file, { timeout: 0, ...options })
  await waitForLock(() => {
    const encoding = connection.pragma('encoding', { simple: true })
    // CHECK constraints compare the length of ids in bytes, which is twice as
    // great in UTF-16.
    if (encoding !== 'UTF-8')
      throw new Error(`expected the encoding UTF-8, but it is ${encoding}`)
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
  })
  return connection
}

const OWNER_ONLY = 0o600

/** Avoids mkdir's `recursive`, which hangs in /proc. */
function createFolder(path: string): void {
  if (fs.existsSync(path)) return
  createFolder(dirname(path))
  try {
    fs.mkdirSync(path, 0o700)
  } catch (error) {
    if (!fs.existsSync(path)) throw error
  }
}

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
 * Returns a function that closes the writer and throws if the database, -wal or
 * -shm file was replaced. The reader stays open, because SQLite runs a
 * checkpoint when the last connection closes, which could overwrite another
 * process's data.
 */
function createFileCheck(file: string, writer: Sqlite.Database): () => void {
  const target = fs.realpathSync(file)
  // Compares devices, too, because a restored file system can have the same
  // inode numbers as before.
  const identify = () =>
    [file, `${target}-wal`, `${target}-shm`]
      .map((each) => fs.statSync(each, { throwIfNoEntry: false }))
      .map((stats) => stats && `${stats.dev} ${stats.ino}`)
      .join()
  const identity = identify()
  return () => {
    if (writer.open && identify() !== identity) writer.close()
    if (!writer.open)
      throw new UnavailableError(
        `${file} was removed or replaced while in use: restart the service`,
      )
  }
}

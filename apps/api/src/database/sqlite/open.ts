import { realpathSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import type { Engine } from '../engine.ts'
import { GroupCommitDialect } from '../group-commit/dialect.ts'
import { createFile, createFileCheck, fileStats } from './file.ts'

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
    return { dialect, assertDurable() {}, stats: () => ({ commits: dialect.stats }) }
  }
  createFile(file)
  const [writer, reader] = [connect(file), connect(file)]
  const assertDurable = createFileCheck(file)
  const target = realpathSync(file)
  const dialect = new GroupCommitDialect({ writer, reader, onBegin: assertDurable })
  return { dialect, assertDurable, stats: () => ({ commits: dialect.stats, files: () => fileStats(target) }) }
}

/** `synchronous = FULL` flushes the disk at each commit, so that an acknowledged write survives a power failure. */
function connect(file: string): Sqlite.Database {
  const connection = new Sqlite(file, { timeout: START_TIMEOUT_MS })
  try {
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    connection.exec('select 1 from sqlite_master') // creates the -wal file
    connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

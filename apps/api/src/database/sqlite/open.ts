import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteAdapter, SqliteDialect, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { UnavailableError } from '../../errors.ts'
import { createCompiler } from '../compiler.ts'
import type { Database, Db, Statement } from '../database.ts'
import { toDatabaseError } from './errors.ts'
import { createFileCheck } from './file-identity.ts'
import { findViolatedForeignKey } from './foreign-keys.ts'
import { groupCommit } from './group-commit.ts'
import { shareReads } from './shared-reads.ts'

/** How long SQLite may block the event loop while another process holds the lock, in milliseconds. */
const BUSY_TIMEOUT_MS = 10
/** How long to wait for the lock in total, in milliseconds. */
const LOCK_TIMEOUT_MS = 5000

/**
 * Opens a SQLite file, which is created with its folder, or `:memory:`. A file is opened twice, so a read never sees an
 * uncommitted write.
 */
export async function openSqlite(file: string): Promise<Database> {
  const inMemory = file === ':memory:'
  if (!inMemory) createFolder(dirname(file))
  // SQLite would open a read-only file and fail at the first write.
  if (existsSync(file)) accessSync(file, constants.W_OK)
  const writer = await connect(file)
  const reader = inMemory ? writer : await connect(file)
  const sharedReads = inMemory ? undefined : shareReads(reader)
  const write = executorFor(writer)
  const executeRead = executorFor(reader)
  const run = (sql: string) => void write({ sql, name: '' }, [])
  const assertDurable = inMemory ? () => {} : createFileCheck(file)
  const begin = async () => {
    await whenUnlocked(() => run('begin immediate'))
    try {
      assertDurable()
    } catch (error) {
      run('rollback')
      throw error
    }
  }
  const commit = () => {
    sharedReads?.end() // the next read must see this commit
    run('commit')
  }
  const read: Db = {
    compiler,
    execute(statement, values) {
      sharedReads?.begin()
      return executeRead(statement, values)
    },
  }
  const group = groupCommit({
    db: { compiler, execute: write },
    run,
    begin,
    commit,
    inTransaction: () => writer.inTransaction,
  })
  const writing = kyselyOn(writer)
  // On a database in memory, which has one connection, a read would see the uncommitted writes of a group.
  const whenReadable = async () => {
    if (inMemory && group.isRunning()) await group.idle()
  }

  return {
    compiler,
    write: group.write,
    async assertPrivileges() {}, // a file has none for single tables, and it was checked to be writable above
    assertDurable,
    execute: inMemory
      ? async (statement, values) => {
          await whenReadable()
          return executeRead(statement, values)
        }
      : read.execute,
    // A turn of the event loop ends after `work`, which awaits nothing but statements.
    async read(work) {
      await whenReadable()
      return work(read)
    },
    async exclusively(work) {
      await begin()
      try {
        const result = await work(writing)
        commit()
        return result
      } catch (error) {
        if (writer.inTransaction) run('rollback')
        throw error
      }
    },
    async readSnapshot(work) {
      if (inMemory) return writing.transaction().execute(work)
      const snapshot = kyselyOn(await connect(file))
      try {
        return await snapshot.transaction().execute(work)
      } finally {
        await snapshot.destroy()
      }
    },
    stats: () => ({ commits: group.stats() }),
    async close() {
      await group.idle()
      sharedReads?.end()
      reader.close()
      writer.close()
    },
  }
}

/**
 * Writes every parameter as `+?`, which has the same value but hides it from the query planner. SQLite built with
 * STAT4, as better-sqlite3 is, plans a join again whenever a value that the planner can see is bound: planning takes
 * five times as long as the join itself.
 */
class Compiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder() {
    return '+?'
  }
}

const compiler = createCompiler({
  createAdapter: () => new SqliteAdapter(),
  createQueryCompiler: () => new Compiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
})

const kyselyOn = (database: Sqlite.Database) => new Kysely({ dialect: new SqliteDialect({ database }) })

/** `mkdir` with `recursive` never returns below a folder such as /proc, in which no folder can be created (Node 20 to 24). */
function createFolder(folder: string): void {
  if (existsSync(folder)) return
  createFolder(dirname(folder))
  if (!existsSync(folder)) mkdirSync(folder)
}

async function connect(file: string): Promise<Sqlite.Database> {
  const connection = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS })
  await whenUnlocked(() => executePragma(connection, 'journal_mode = WAL'))
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  return connection
}

/**
 * Retries an action while another process holds the lock of the file. SQLite's own busy timeout would block the event
 * loop, so it is short, and the rest of the waiting happens here.
 */
async function whenUnlocked(action: () => void): Promise<void> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS
  for (;;) {
    try {
      return action()
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error
    }
    await pause(1 + Math.random() * 10)
  }
}

const isLocked = (error: unknown) =>
  error instanceof UnavailableError && /^SQLITE_(BUSY|LOCKED)/.test(error.message)

/** Returns a function that runs statements on a connection and prepares each once. */
function executorFor(connection: Sqlite.Database) {
  const prepared = new Map<string, Sqlite.Statement>()
  return (statement: Statement, values: readonly unknown[]): unknown[] => {
    try {
      let query = prepared.get(statement.sql)
      if (query === undefined) {
        query = connection.prepare(statement.sql)
        prepared.set(statement.sql, query)
      }
      if (query.reader) return query.all(values)
      query.run(values)
      return []
    } catch (error) {
      throw toDatabaseError(error, () => findViolatedForeignKey(connection, statement, values))
    }
  }
}

function executePragma(connection: Sqlite.Database, pragma: string): void {
  try {
    connection.pragma(pragma)
  } catch (error) {
    throw toDatabaseError(error, () => undefined)
  }
}

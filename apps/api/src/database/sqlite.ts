import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect, SqliteQueryCompiler } from 'kysely'
import type { Database, Statement } from './database.ts'
import { ConstraintError, type ConstraintKind, UnavailableError } from './errors.ts'
import { groupCommit } from './group-commit.ts'
import { placeOf } from './place.ts'

/** How long SQLite may block the event loop when another process has the file, and how long we wait for it in all. */
const BLOCKED_MS = 10
const WAIT_MS = 5000

/**
 * Opens a SQLite file (created with its folder), or `:memory:`. A file has two connections, so that a read never sees
 * a write before its commit.
 */
export async function openSqlite(file: string): Promise<Database> {
  const inMemory = file === ':memory:'
  if (!inMemory) createFolder(dirname(file))
  // SQLite itself would open what may only be read, and refuse each write.
  if (existsSync(file)) accessSync(file, constants.W_OK)
  const writer = await connect(file)
  const reader = inMemory ? writer : await connect(file)
  const builder = new Kysely<unknown>({ dialect: new Dialect({ database: writer }) })
  const write = executor(writer)
  const read = executor(reader)
  const command = (sql: string) => void write({ sql, name: '' }, [])
  const verify = inMemory ? () => {} : placeOf(file)
  const begin = async () => {
    await whenFree(() => command('begin immediate'))
    try {
      verify()
    } catch (error) {
      command('rollback')
      throw error
    }
  }
  const group = groupCommit({
    db: { builder, execute: async (statement, values) => write(statement, values) },
    command,
    begin,
    active: () => writer.inTransaction,
  })

  return {
    builder,
    write: group.write,
    verify,
    execute: inMemory
      ? async (statement, values) => {
          // With one connection only, a read could see half of a group: it waits for the group's end.
          if (group.isRunning()) await group.idle()
          return read(statement, values)
        }
      : async (statement, values) => read(statement, values),
    async exclusively(work) {
      await begin()
      try {
        const result = await work(builder)
        command('commit')
        return result
      } catch (error) {
        if (writer.inTransaction) command('rollback')
        throw error
      }
    },
    activity: () => ({ commits: group.commits() }),
    async close() {
      await group.idle()
      reader.close()
      writer.close()
    },
  }
}

/**
 * Writes every parameter as `+?`, which is the same value and hides it from the planner: SQLite built with STAT4, as
 * ours is, plans a join anew whenever a value that it knows of is bound, which takes five times as long as the join.
 */
class Compiler extends SqliteQueryCompiler {
  override getCurrentParameterPlaceholder() {
    return '+?'
  }
}

class Dialect extends SqliteDialect {
  override createQueryCompiler() {
    return new Compiler()
  }
}

/** mkdir's own `recursive` never returns below a folder such as /proc, where nothing can be made (Node 20 to 24). */
function createFolder(folder: string): void {
  if (existsSync(folder)) return
  createFolder(dirname(folder))
  if (!existsSync(folder)) mkdirSync(folder)
}

async function connect(file: string): Promise<Sqlite.Database> {
  const connection = new Sqlite(file, { timeout: BLOCKED_MS })
  await whenFree(() => run(connection, 'pragma journal_mode = WAL'))
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  return connection
}

/**
 * Does what needs the file for itself when another process has it: SQLite's own waiting would stop the event loop, so
 * it is kept short and the rest of the waiting is done here.
 */
async function whenFree(action: () => void): Promise<void> {
  const deadline = performance.now() + WAIT_MS
  for (;;) {
    try {
      return action()
    } catch (error) {
      if (!(error instanceof UnavailableError && BUSY.test(error.message)) || performance.now() > deadline)
        throw error
    }
    await pause(1 + Math.random() * 10)
  }
}

function executor(connection: Sqlite.Database) {
  const prepared = new Map<string, Sqlite.Statement>()
  return ({ sql }: Statement, values: readonly unknown[]): unknown[] => {
    try {
      let statement = prepared.get(sql)
      if (statement === undefined) {
        statement = connection.prepare(sql)
        prepared.set(sql, statement)
      }
      if (statement.reader) return statement.all(values)
      statement.run(values)
      return []
    } catch (error) {
      throw translated(error)
    }
  }
}

function run(connection: Sqlite.Database, sql: string): void {
  try {
    connection.exec(sql)
  } catch (error) {
    throw translated(error)
  }
}

const CONSTRAINTS: Record<string, ConstraintKind> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign_key',
  SQLITE_CONSTRAINT_CHECK: 'check',
  SQLITE_CONSTRAINT_NOTNULL: 'not_null',
}

const BUSY = /^SQLITE_(BUSY|LOCKED)/

/** Locked by another process, disk full, disk unreadable, file made read-only. */
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)/

function translated(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error
  const kind = CONSTRAINTS[error.code]
  if (kind !== undefined) return new ConstraintError(kind, error)
  if (UNAVAILABLE.test(error.code)) return new UnavailableError(error.code, { cause: error })
  return error
}

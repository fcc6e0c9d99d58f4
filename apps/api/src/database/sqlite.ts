import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect, SqliteQueryCompiler } from 'kysely'
import type { Database, Db, Statement } from './database.ts'
import { ConstraintError, type ConstraintKind, UnavailableError } from './errors.ts'

/** Members of one group commit; the rest wait for the next one. */
const GROUP_LIMIT = 256

/** How long SQLite may block the event loop when another process has the file, and how long we wait for it in all. */
const BLOCKED_MS = 10
const WAIT_MS = 5000

/**
 * Opens a SQLite file (created with its folder), or `:memory:`.
 *
 * A file has two connections, so that a read never sees a write before its commit. Writes that arrive in the
 * same turn of the event loop share one transaction, each in a savepoint of its own, and are answered after the
 * common commit: the disk is waited for once a group, not once a write.
 */
export async function openSqlite(file: string): Promise<Database> {
  const inMemory = file === ':memory:'
  if (!inMemory) createFolder(dirname(file))
  const writer = await connect(file)
  const reader = inMemory ? writer : await connect(file)
  const builder = new Kysely<unknown>({ dialect: new Dialect({ database: writer }) })
  const write = executor(writer)
  const transaction: Db = { builder, execute: async (statement, values) => write(statement, values) }

  let waiting: Member[] = []
  let committing: Promise<void> | undefined

  async function commitGroup() {
    const group = waiting.slice(0, GROUP_LIMIT)
    waiting = waiting.slice(GROUP_LIMIT)
    try {
      await whenFree(() => run(writer, 'begin immediate'))
      const settle: (() => void)[] = []
      for (const member of group) settle.push(await runMember(writer, transaction, member))
      run(writer, 'commit')
      for (const tell of settle) tell()
    } catch (error) {
      if (writer.inTransaction) run(writer, 'rollback')
      for (const member of group) member.reject(error)
    }
    committing = waiting.length > 0 ? nextTurn().then(commitGroup) : undefined
  }

  const read = executor(reader)
  return {
    builder,
    async execute(statement, values) {
      // With one connection only, a read could see half of a group: it waits for the group's end.
      if (inMemory) while (committing) await committing
      return read(statement, values)
    },
    write<T>(work: (db: Db) => Promise<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      waiting.push({ work, resolve: resolve as Member['resolve'], reject })
      committing ??= nextTurn().then(commitGroup)
      return promise
    },
    async exclusively(work) {
      await whenFree(() => run(writer, 'begin immediate'))
      try {
        const result = await work(builder)
        run(writer, 'commit')
        return result
      } catch (error) {
        if (writer.inTransaction) run(writer, 'rollback')
        throw error
      }
    },
    async close() {
      while (committing) await committing
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

interface Member {
  readonly work: (db: Db) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Runs one write of a group in a savepoint and returns what tells its caller, to be called after the commit. */
async function runMember(writer: Sqlite.Database, db: Db, member: Member): Promise<() => void> {
  run(writer, 'savepoint member')
  try {
    const value = await member.work(db)
    run(writer, 'release member')
    return () => member.resolve(value)
  } catch (error) {
    // Out of disk, for one, SQLite rolls back the whole transaction: then nobody's write is there.
    if (!writer.inTransaction) throw error
    run(writer, 'rollback to member')
    run(writer, 'release member')
    return () => member.reject(error)
  }
}

/** mkdir's own `recursive` never returns below a folder such as /proc, where nothing can be made (Node 20 to 24). */
function createFolder(folder: string): void {
  if (existsSync(folder)) return
  createFolder(dirname(folder))
  if (!existsSync(folder)) mkdirSync(folder)
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

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

import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import type { CompiledQuery, DatabaseConnection, Driver } from 'kysely'
import {
  type Prepare,
  preparing,
  run,
  TIMEOUT_MS,
  waitForLock,
} from './statements.ts'

export interface GroupCommitConfig {
  /** The connection that writes. It needs `journal_mode = WAL`. */
  readonly writer: Sqlite.Database
  /**
   * A second connection to the same file, for reads. Without it, as for
   * `:memory:`, reads wait for open transactions.
   */
  readonly reader?: Sqlite.Database
  /**
   * Called at the start of each group and after its commit. An error rejects
   * the writes of the group.
   */
  readonly check?: () => void
  /**
   * Maximum time that a group waits for the lock of another process, and that
   * an open transaction may wait between two statements.
   */
  readonly timeoutMs?: number
}

/** Commits the writes of a turn of the event loop together. */
export class GroupCommitDriver implements Driver {
  readonly db: Sqlite.Database
  readonly timeoutMs: number
  readonly prepare: Prepare
  readonly prepareRead: Prepare
  /** The transaction in whose callback the code runs. */
  readonly current = new AsyncLocalStorage<Connection>()
  readonly #config: GroupCommitConfig
  readonly #queue: {
    work(): unknown
    resolve(result: unknown): void
    reject(error: unknown): void
  }[] = []
  #running: Promise<void> | undefined

  constructor(config: GroupCommitConfig) {
    this.#config = config
    this.db = config.writer
    // Sets busy_timeout to 0, because SQLite's own wait would block the event
    // loop.
    for (const connection of [config.writer, config.reader])
      connection?.pragma('busy_timeout = 0')
    this.timeoutMs = config.timeoutMs ?? TIMEOUT_MS
    this.prepare = preparing(config.writer)
    this.prepareRead = config.reader ? preparing(config.reader) : this.prepare
  }
  async init() {}
  // Returns a new object for each operation, so Kysely never waits for a
  // connection.
  acquireConnection = async () => new Connection(this)
  async releaseConnection() {}
  beginTransaction = (connection: Connection) => connection.begin()
  commitTransaction = (connection: Connection) => connection.commit()
  rollbackTransaction = async (connection: Connection) => connection.rollBack()
  async destroy() {
    await this.#running
    this.#config.reader?.close()
    this.db.close()
  }

  /**
   * Runs `work` in a group, and resolves with its result after the commit. A
   * `work` that throws must leave no change.
   */
  write<T>(work: () => T | Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#queue.push({ work, resolve, reject })
    this.#running ??= this.#runGroups()
    return promise as Promise<T>
  }

  async #runGroups(): Promise<void> {
    while (this.#queue.length > 0) {
      await nextTurn() // collects the writes of this turn of the event loop
      await this.#runGroup()
    }
    this.#running = undefined
  }

  async #runGroup(): Promise<void> {
    const settle: (() => void)[] = []
    const begin = () => {
      this.db.exec('begin immediate')
      this.#config.check?.()
    }
    const failed = await waitForLock(begin, this.timeoutMs).catch(
      (error: unknown) => ({ error }),
    )
    const group = this.#queue.splice(0)
    try {
      if (failed) throw failed.error
      for (const { work, resolve, reject } of group)
        try {
          const result = await work()
          settle.push(() => resolve(result))
        } catch (error) {
          // On some errors, such as a full disk, SQLite rolls the whole
          // transaction back: no write of the group is stored.
          if (!this.db.inTransaction) throw error
          settle.push(() => reject(error))
        }
      this.db.exec('commit')
      this.#config.check?.()
      for (const each of settle) each()
    } catch (error) {
      if (this.db.inTransaction) this.db.exec('rollback')
      for (const { reject } of group) reject(error)
    }
  }
}

/**
 * One operation of Kysely: a statement, or a transaction from `begin` to
 * `commit` or `rollBack`.
 */
class Connection implements DatabaseConnection {
  readonly #driver: GroupCommitDriver
  /**
   * The open transaction. `stored` settles after the commit of its group, which
   * continues when `end` settles.
   */
  #open:
    | {
        stored: Promise<void>
        end: PromiseWithResolvers<void>
        timer: NodeJS.Timeout
      }
    | undefined
  /** The reason why the transaction cannot be committed. */
  #error: unknown

  constructor(driver: GroupCommitDriver) {
    this.#driver = driver
  }

  async executeQuery<R>(
    { sql, parameters }: CompiledQuery,
    options?: { signal?: AbortSignal },
  ) {
    const { db, prepare, prepareRead } = this.#driver
    if (!this.#open && !this.#error) {
      this.#assertOutside()
      const read = prepareRead(sql)
      if (read.readonly && !(read.database === db && db.inTransaction))
        return run<R>(read, parameters)
      return this.#driver.write(() => {
        // An abort does not undo a write that has started.
        options?.signal?.throwIfAborted()
        return run<R>(prepare(sql), parameters)
      })
    }
    if (this.#error) throw this.#error
    this.#open?.timer.refresh()
    try {
      return run<R>(prepare(sql), parameters)
    } catch (error) {
      if (!db.inTransaction) this.#error = error
      throw error
    }
  }

  // biome-ignore lint/correctness/useYield: a cursor would keep every other statement of its connection waiting.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('GroupCommitDialect does not stream')
  }

  begin(): Promise<void> {
    this.#assertOutside()
    // An `await` before `enterWith` would hide the AsyncLocalStorage context
    // from the callback.
    this.#driver.current.enterWith(this)
    const { db, timeoutMs } = this.#driver
    return new Promise((resolve, reject) => {
      const stored = this.#driver.write<void>(() => {
        db.exec('savepoint member')
        const end = Promise.withResolvers<void>()
        const expired = new Error(
          `the transaction was rolled back: it ran no statement for ${timeoutMs} ms`,
        )
        this.#open = {
          stored,
          end,
          timer: setTimeout(() => this.rollBack(expired), timeoutMs),
        }
        resolve()
        return end.promise
      })
      // Rejects if the group could not start. `commit` throws later errors.
      stored.catch(reject)
    })
  }

  async commit(): Promise<void> {
    if (this.#error) throw this.#error
    const open = this.#leave('release member')
    open?.end.resolve()
    await open?.stored
  }

  rollBack(error = new Error('the transaction was rolled back')): void {
    this.#error ??= error
    this.#leave('rollback to member; release member')?.end.reject(this.#error)
  }

  /**
   * Ends the transaction, unless it has expired or SQLite has rolled the whole
   * group back.
   */
  #leave(sql: string) {
    const open = this.#open
    if (open && this.#driver.db.inTransaction) this.#driver.db.exec(sql)
    clearTimeout(open?.timer)
    this.#open = undefined
    return open
  }

  /**
   * Throws if called in the callback of an open transaction: there, a statement
   * of `db` would wait forever for the end of the transaction.
   */
  #assertOutside(): void {
    const around = this.#driver.current.getStore()
    if (around !== undefined && around.#open !== undefined)
      throw new Error(
        'a transaction is open here: use the argument of its callback instead of `db`',
      )
  }
}

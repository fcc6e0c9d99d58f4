import { AsyncLocalStorage } from 'node:async_hooks'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { type GroupCommitConfig, Groups } from './groups.ts'
import { Statements } from './statements.ts'

/** Gives each operation its own connection, so that Kysely never waits for one. All of them share the two files. */
export class GroupCommitDriver implements Driver {
  readonly groups: Groups
  readonly writer: Statements
  readonly reader: Statements
  readonly idleTimeoutMs: number
  /** The transaction in whose callback the code runs. */
  readonly current = new AsyncLocalStorage<Connection>()

  constructor(config: GroupCommitConfig, stats: { commits: number; writes: number }) {
    this.groups = new Groups(config, stats)
    this.writer = new Statements(config.writer)
    this.reader = config.reader ? new Statements(config.reader) : this.writer
    this.idleTimeoutMs = config.idleTimeoutMs ?? 5000
  }
  async init() {}
  async acquireConnection() {
    return new Connection(this)
  }
  async releaseConnection() {}
  beginTransaction(connection: Connection) {
    return connection.begin() // without await: the callback inherits the context that `begin` enters
  }
  commitTransaction(connection: Connection) {
    return connection.commit()
  }
  async rollbackTransaction(connection: Connection) {
    connection.rollBack(new Error('the transaction was rolled back'))
  }
  async destroy() {
    await this.groups.idle()
    for (const { db } of new Set([this.reader, this.writer])) db.close()
  }
}

class Connection implements DatabaseConnection {
  readonly #driver: GroupCommitDriver
  /** The open transaction: `end` lets its group continue, `stored` settles after the commit of the group. */
  #open: { end: () => void; stored: Promise<void>; timer: NodeJS.Timeout } | undefined
  /** Why the transaction cannot be committed. */
  #error: unknown

  constructor(driver: GroupCommitDriver) {
    this.#driver = driver
  }

  async executeQuery<R>(
    query: CompiledQuery,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<QueryResult<R>> {
    const { groups, reader, writer } = this.#driver
    if (this.#open || this.#error) return this.#runInside<R>(query)
    this.#assertOutside()
    if (!reader.isReadOnly(query.sql)) return groups.write(() => writer.run<R>(query), options?.signal)
    if (reader === writer) await groups.idle()
    return reader.run<R>(query)
  }

  #runInside<R>(query: CompiledQuery): QueryResult<R> {
    if (this.#error) throw this.#error
    this.#open?.timer.refresh()
    try {
      return this.#driver.writer.run<R>(query)
    } catch (error) {
      if (!this.#driver.writer.db.inTransaction) this.#error = error
      throw error
    }
  }

  // biome-ignore lint/correctness/useYield: a cursor would keep every other statement of its connection waiting.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('GroupCommitDialect does not stream: read page by page, each after the last key')
  }

  begin(): Promise<void> {
    this.#assertOutside()
    this.#driver.current.enterWith(this)
    const started = Promise.withResolvers<void>()
    const stored = this.#driver.groups.write<void>(async () => {
      this.#driver.writer.db.exec('savepoint member')
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#open = {
        end: resolve,
        stored,
        timer: setTimeout(() => this.#expire(), this.#driver.idleTimeoutMs),
      }
      started.resolve()
      await promise
      if (this.#error) throw this.#error
    })
    stored.catch(started.reject) // when the group could not start; a later error is that of `commit`
    return started.promise
  }

  async commit(): Promise<void> {
    if (this.#error) throw this.#error
    const stored = this.#open?.stored
    this.#leave('release member')
    await stored
  }

  rollBack(error: unknown): void {
    this.#error ??= error
    this.#leave('rollback to member; release member')
  }

  /** Ends this transaction in its group. Does nothing when it has ended, and runs nothing when SQLite has rolled all back. */
  #leave(sql: string): void {
    if (this.#open === undefined) return
    const { end, timer } = this.#open
    this.#open = undefined
    clearTimeout(timer)
    if (this.#driver.writer.db.inTransaction) this.#driver.writer.db.exec(sql)
    end()
  }

  #expire(): void {
    const { idleTimeoutMs } = this.#driver
    this.rollBack(new Error(`the transaction was rolled back: it ran no statement for ${idleTimeoutMs} ms`))
  }

  /** Throws in the callback of an open transaction, for whose end a statement of `db` would wait forever. */
  #assertOutside(): void {
    const around = this.#driver.current.getStore()
    if (around === undefined || around.#open === undefined) return
    throw new Error('a transaction is open here: use the argument of its callback instead of `db`')
  }
}

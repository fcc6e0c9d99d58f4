import { randomUUID } from 'node:crypto'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  RawNode,
  SelectQueryNode,
} from 'kysely'
import type { Prepare } from './prepare.ts'
import { addCaller, commandOf, run, waitForLock } from './statements.ts'
import type { Writer } from './writer.ts'

/** A random name, so that no savepoint of a caller has the same name. */
const SAVEPOINT = `"${randomUUID()}"`

const ROW_QUERY = /^(?:Select|Insert|Update|Delete)QueryNode$/

export class Connection implements DatabaseConnection {
  readonly #writer: Writer
  readonly #prepareRead: Prepare | undefined
  #hasRunRaw = false
  #open:
    | {
        stored: Promise<void>
        end: PromiseWithResolvers<void>
        timer: NodeJS.Timeout
      }
    | undefined
  #error: unknown
  #lastError: unknown

  constructor(writer: Writer, prepareRead: Prepare | undefined) {
    this.#writer = writer
    this.#prepareRead = prepareRead
  }

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  executeQuery<R>(
    query: CompiledQuery,
    options?: { signal?: AbortSignal },
  ): Promise<QueryResult<R>> {
    const command = RawNode.is(query.query) ? commandOf(query.sql) : undefined
    if (!this.#open && !this.#error)
      return command === 'begin'
        ? this.#begin()
        : this.#runOutside(query, options?.signal)
    if (command === 'rollback') return this.#rollBack()
    if (command === undefined || command === 'begin')
      return this.#runInside(query)
    return this.#commit()
  }

  /**
   * Reads all rows at once, because an open cursor would make the connection
   * reject all writes, and show an old state to all other reads.
   */
  async *streamQuery<R>(
    query: CompiledQuery,
  ): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }

  async #runOutside<R>(query: CompiledQuery, signal?: AbortSignal) {
    this.#assertOutside()
    const writer = this.#writer
    if (SelectQueryNode.is(query.query)) {
      // Raw SQL runs on the writer's connection, and can change settings,
      // create temporary tables or attach databases. The reader's connection
      // lacks the changes, so later SELECTs use the writer's connection.
      if (this.#prepareRead && !this.#hasRunRaw && !writer.hasOtherSchemas)
        return run<R>(this.#prepareRead(query), query)
      if (!writer.db.inTransaction) return run<R>(writer.prepare(query), query)
    }
    const isAlone = RawNode.is(query.query)
    this.#hasRunRaw ||= isAlone
    let own: unknown
    const work = async () => {
      try {
        signal?.throwIfAborted()
        return isAlone ? await this.#runAlone<R>(query) : this.#run<R>(query)
      } catch (error) {
        own = error
        throw error
      }
    }
    try {
      return await writer.write(work, isAlone)
    } catch (error) {
      // Adds the caller's stack only if this statement failed. If the commit
      // failed, many callers share the error object, so no single stack fits.
      if (error === own) addCaller(error)
      throw error
    }
  }

  /**
   * Runs the statement outside of a transaction, as `vacuum` and `pragma
   * foreign_keys` need.
   */
  async #runAlone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { db, timeoutMs } = this.#writer
    const result = await waitForLock(() => this.#run<R>(query), timeoutMs)
    if (!db.inTransaction) return result
    db.exec('rollback')
    throw new Error(`begin a transaction before: ${query.sql}`)
  }

  #run<R>(query: CompiledQuery): QueryResult<R> {
    const result = run<R>(this.#writer.prepare(query), query)
    if (!ROW_QUERY.test(query.query.kind)) this.#writer.updateOtherSchemas()
    return result
  }

  async #runInside<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#error) throw this.#error
    this.#open?.timer.refresh()
    try {
      return this.#run<R>(query)
    } catch (error) {
      this.#lastError = error
      if (!this.#writer.db.inTransaction) this.#error = error
      throw error
    }
  }

  async #begin() {
    this.#assertOutside()
    // Marks the caller, so that a statement that bypasses the transaction
    // throws instead of waiting for the transaction forever. After an `await`,
    // `enterWith` would not change the caller's async context.
    this.#writer.current.enterWith(this)
    const { db, timeoutMs } = this.#writer
    await new Promise<void>((resolve, reject) => {
      const stored = this.#writer.write<void>(() => {
        db.exec(`savepoint ${SAVEPOINT}`)
        const end = Promise.withResolvers<void>()
        const timer = setTimeout(() => this.#expire(), timeoutMs)
        this.#open = { stored, end, timer }
        this.#lastError = undefined
        resolve()
        return end.promise
      })
      stored.catch(reject)
    })
    return NO_ROWS
  }

  async #commit() {
    if (this.#error) throw this.#error
    const open = this.#leave(`release ${SAVEPOINT}`)
    open?.end.resolve()
    try {
      await open?.stored
    } catch (error) {
      this.#error = error
      throw error
    }
    return NO_ROWS
  }

  async #rollBack() {
    this.#undo(this.#error ?? new Error('the transaction was rolled back'))
    this.#error = undefined
    return NO_ROWS
  }

  #expire(): void {
    const { timeoutMs, waitingCount } = this.#writer
    this.#error = new Error(
      `the transaction was rolled back: it ran no statement for ${timeoutMs} ms while ${waitingCount} other writes waited`,
    )
    this.#undo(this.#error)
  }

  #undo(error: unknown): void {
    const undo = `rollback to ${SAVEPOINT}; release ${SAVEPOINT}`
    this.#leave(undo)?.end.reject(error)
  }

  async release(): Promise<void> {
    if (!this.#open) return
    await this.#rollBack()
    throw new Error(
      'a transaction was open at the end of the callback: it was rolled back',
      { cause: this.#lastError },
    )
  }

  #leave(sql: string) {
    const open = this.#open
    const { db } = this.#writer
    if (open && db.inTransaction) db.exec(sql)
    clearTimeout(open?.timer)
    this.#open = undefined
    return open
  }

  #assertOutside(): void {
    if (this.#writer.current.getStore()?.isOpen)
      throw new Error(
        'a transaction is open here: use the argument of its callback instead of `db`',
      )
  }
}

const NO_ROWS = { rows: [] }

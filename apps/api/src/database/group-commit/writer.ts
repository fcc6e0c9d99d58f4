import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import { type Prepare, preparing } from './prepare.ts'
import { waitForLock } from './statements.ts'

interface Write {
  work(): unknown
  resolve(result: unknown): void
  reject(error: unknown): void
  isAlone: boolean
}

export class Writer {
  readonly db: Sqlite.Database
  readonly timeoutMs: number
  readonly prepare: Prepare
  /**
   * The transaction in whose callback the current code runs. In the callback, a
   * statement outside of the transaction throws, because the statement and the
   * transaction would wait for each other forever.
   */
  readonly current = new AsyncLocalStorage<{ readonly isOpen: boolean }>()
  hasOtherSchemas = false
  readonly #check: (() => void) | undefined
  readonly #queue: Write[] = []
  #running: Promise<void> | undefined

  constructor(
    db: Sqlite.Database,
    timeoutMs: number,
    check: (() => void) | undefined,
  ) {
    this.db = db
    this.timeoutMs = timeoutMs
    this.prepare = preparing(db)
    this.#check = check
  }

  get waitingCount(): number {
    return this.#queue.length
  }

  updateOtherSchemas(): void {
    const databases = this.db.pragma('database_list') as unknown[]
    this.hasOtherSchemas = databases.length > 1
  }

  async end(): Promise<void> {
    await this.#running
    try {
      this.#check?.()
    } catch {} // no write is left to reject
  }

  /**
   * Other writes share the transaction, so a `work` that throws must undo its
   * changes.
   */
  write<T>(work: () => T | Promise<T>, isAlone = false): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#queue.push({ work, resolve, reject, isAlone })
    this.#running ??= this.#runQueue()
    return promise as Promise<T>
  }

  async #runQueue(): Promise<void> {
    while (this.#queue.length > 0) {
      await nextTurn() // collects the writes of this turn of the event loop
      const [first] = this.#queue
      if (first?.isAlone) await this.#runAlone(first)
      else await this.#runGroup()
    }
    this.#running = undefined
  }

  async #runAlone({ work, resolve, reject }: Write): Promise<void> {
    this.#queue.shift()
    try {
      this.#check?.()
      const result = await work()
      this.#check?.()
      resolve(result)
    } catch (error) {
      reject(error)
    }
  }

  async #runGroup(): Promise<void> {
    const settle: (() => void)[] = []
    const begin = () => {
      this.#check?.()
      this.db.exec('begin immediate')
    }
    const failed = await waitForLock(begin, this.timeoutMs).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    const next = this.#queue.findIndex(({ isAlone }) => isAlone)
    const group = this.#queue.splice(0, next < 0 ? Infinity : next)
    try {
      if (failed) throw failed.error
      for (const { work, resolve, reject } of group)
        try {
          const result = await work()
          settle.push(() => resolve(result))
        } catch (error) {
          // On some errors, such as a full disk, SQLite rolls back the whole
          // transaction. Rethrows, so that all writes in the transaction are
          // rejected.
          if (!this.db.inTransaction) throw error
          settle.push(() => reject(error))
        }
      this.db.exec('commit')
      this.#check?.()
      for (const each of settle) each()
    } catch (error) {
      if (this.db.inTransaction) this.db.exec('rollback')
      for (const { reject } of group) reject(error)
    }
  }
}

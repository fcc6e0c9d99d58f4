import { setTimeout as pause } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'

export interface GroupCommitConfig {
  /** The connection that writes. Use `journal_mode = WAL` and a busy timeout of a few milliseconds. */
  readonly writer: Sqlite.Database
  /** A second connection to the same file, for reads. Without it, as for `:memory:`, reads wait for running writes. */
  readonly reader?: Sqlite.Database | undefined
  /** Called at the start of each group. An error rolls the group back and rejects its writes. */
  readonly onBegin?: () => void
  /** How long a group waits for the lock of another process, in milliseconds. */
  readonly lockTimeoutMs?: number
  /** How long a transaction may wait between two statements, in milliseconds: other writes wait for it. */
  readonly idleTimeoutMs?: number
}

/** Maximum number of writes in one group. */
const GROUP_LIMIT = 256

interface Write {
  /** Returns a function that settles the promise of the write, to be called after the commit. */
  run(): Promise<() => void>
  reject(error: unknown): void
}

/** Runs writes one after another, and commits those of one turn of the event loop in one transaction. */
export class Groups {
  readonly #db: Sqlite.Database
  readonly #config: GroupCommitConfig
  readonly #stats: { commits: number; writes: number }
  readonly #queue: Write[] = []
  #running: Promise<void> | undefined

  constructor(config: GroupCommitConfig, stats: { commits: number; writes: number }) {
    this.#db = config.writer
    this.#config = config
    this.#stats = stats
  }

  /**
   * Resolves with the result of `work` when it is durable. A `work` that throws must leave no change. An abort removes a
   * write from the queue, which is then not stored. A write that has started is stored in spite of it.
   */
  write<T>(work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const run = async () => {
      try {
        const value = await work()
        if (!this.#db.inTransaction) throw new Error('a statement has ended the transaction of the group')
        return () => {
          this.#stats.writes += 1
          resolve(value)
        }
      } catch (error) {
        // On some errors, such as a full disk, SQLite rolls the whole transaction back: no write of the group is stored.
        if (!this.#db.inTransaction) throw error
        return () => reject(error)
      }
    }
    const write = { run, reject }
    this.#queue.push(write)
    signal?.addEventListener('abort', () => {
      const position = this.#queue.indexOf(write)
      if (position >= 0) this.#queue.splice(position, 1)
      reject(signal.reason)
    })
    this.#running ??= nextTurn().then(() => this.#runGroup())
    return promise
  }

  /** Resolves when no write is running or waiting. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #runGroup(): Promise<void> {
    const group: Write[] = []
    const settle: (() => void)[] = []
    try {
      await this.#begin()
      for (let write = this.#queue.shift(); write; write = this.#queue.shift()) {
        group.push(write)
        settle.push(await write.run())
        if (group.length === GROUP_LIMIT) break
      }
      this.#db.prepare('commit').run()
      this.#stats.commits += 1
      for (const each of settle) each()
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('rollback')
      // If BEGIN failed, reject every waiting write: retrying group by group would make each wait for the full timeout.
      for (const { reject } of group.length > 0 ? group : this.#queue.splice(0)) reject(error)
    }
    this.#running = this.#queue.length > 0 ? nextTurn().then(() => this.#runGroup()) : undefined
  }

  /** Starts a transaction. While another process writes, waits without blocking the event loop. */
  async #begin(): Promise<void> {
    const deadline = performance.now() + (this.#config.lockTimeoutMs ?? 5000)
    for (;;) {
      try {
        this.#db.prepare('begin immediate').run()
        return this.#config.onBegin?.()
      } catch (error) {
        const isLocked = /^SQLITE_(BUSY|LOCKED)/.test(String((error as { code?: unknown }).code))
        if (!isLocked || performance.now() > deadline) throw error
      }
      await pause(1 + Math.random() * 10)
    }
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

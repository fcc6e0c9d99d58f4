import { RollbackResult } from '../../errors.ts'
import type { Db } from '../database.ts'
import type { MaybePromise } from '../maybe-promise.ts'

/** Maximum number of writes in one group. */
const GROUP_LIMIT = 256

interface PendingWrite {
  readonly work: (db: Db) => MaybePromise<unknown>
  /** Whether `work` may run again after a rollback. */
  readonly isRepeatable: boolean
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** The result of a write in a transaction that is not committed yet. */
interface WriteResult {
  readonly isStored: boolean
  /** Settles the promise of the write, to be called after the commit. */
  settle(): void
}

export interface WriteConnection {
  /** Runs the statements of a write. */
  readonly db: Db
  /** Runs a statement such as `savepoint` on the same connection. */
  run(sql: string): void
  /** Starts a transaction. Waits while another process writes. */
  begin(): Promise<void>
  commit(): void
  /** Returns whether the connection is in a transaction, which some errors end. */
  inTransaction(): boolean
}

/**
 * Commits concurrent writes in groups. Writes that arrive in the same turn of the event loop, or while a group is being
 * written, share one transaction, so the disk is flushed once per group instead of once per write. The promises of all
 * writes in the group resolve after the common commit.
 *
 * Each write has a savepoint, so a write that fails is rolled back alone. Because savepoints are two of the three
 * statements of POST /teams, a group of repeatable writes first runs without them, and again with them if a write
 * fails.
 */
export function groupCommit({ db, run, begin, commit, inTransaction }: WriteConnection) {
  const queue: PendingWrite[] = []
  let running: Promise<void> | undefined
  let groups = 0
  let writes = 0

  async function writeGroup(): Promise<void> {
    let group: PendingWrite[] = []
    try {
      await begin()
      group = queue.splice(0, GROUP_LIMIT)
      const results = (await runRepeatable(group)) ?? (await runInSavepoints(group))
      commit()
      groups += 1
      for (const { isStored, settle } of results) {
        if (isStored) writes += 1
        settle()
      }
    } catch (error) {
      if (inTransaction()) run('rollback')
      // If BEGIN timed out, reject every queued write: retrying group by group would make each wait for the full
      // timeout again.
      if (group.length === 0) group = queue.splice(0)
      for (const write of group) write.reject(error)
    }
    running = queue.length > 0 ? nextTurn().then(writeGroup) : undefined
  }

  /** Runs repeatable writes without savepoints. If one fails, starts a new transaction and returns undefined. */
  async function runRepeatable(group: readonly PendingWrite[]): Promise<WriteResult[] | undefined> {
    if (!group.every(({ isRepeatable }) => isRepeatable)) return undefined
    const results: WriteResult[] = []
    try {
      for (const { work, resolve } of group) {
        const result = work(db)
        const value = result instanceof Promise ? await result : result
        results.push({ isStored: true, settle: () => resolve(value) })
      }
      return results
    } catch {
      if (inTransaction()) run('rollback')
      await begin()
      return undefined
    }
  }

  async function runInSavepoints(group: readonly PendingWrite[]): Promise<WriteResult[]> {
    const results: WriteResult[] = []
    for (const write of group) results.push(await runInSavepoint(write))
    return results
  }

  async function runInSavepoint({ work, resolve, reject }: PendingWrite): Promise<WriteResult> {
    run('savepoint member')
    try {
      const value = await work(db)
      const isStored = !(value instanceof RollbackResult)
      if (!isStored) run('rollback to member')
      run('release member')
      return { isStored, settle: () => resolve(value) }
    } catch (error) {
      // On some errors, such as a full disk, SQLite rolls back the whole transaction: no write of the group is stored.
      if (!inTransaction()) throw error
      run('rollback to member')
      run('release member')
      return { isStored: false, settle: () => reject(error) }
    }
  }

  return {
    write<T>(work: (db: Db) => MaybePromise<T>, isRepeatable = false): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      queue.push({ work, isRepeatable, resolve: resolve as PendingWrite['resolve'], reject })
      running ??= nextTurn().then(writeGroup)
      return promise
    },
    /** Resolves when no group is being written. */
    async idle(): Promise<void> {
      while (running) await running
    },
    stats: () => ({ groups, writes }),
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

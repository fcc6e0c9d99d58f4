import type { MaybePromise } from '../../maybe-promise.ts'
import type { Db } from '../database.ts'

/** Maximum number of writes in one group. */
const GROUP_LIMIT = 256

interface PendingWrite {
  readonly work: (db: Db) => MaybePromise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface WriteConnection {
  /** What the work of a write runs on. */
  readonly db: Db
  /** Runs a statement such as `savepoint` on the same connection. */
  run(sql: string): void
  /** Starts a transaction. Waits while another process writes. */
  begin(): Promise<void>
  commit(): void
  /** Returns whether the connection is in a transaction. Some errors end it. */
  inTransaction(): boolean
}

/**
 * Commits concurrent writes in groups. Writes that arrive in the same turn of the event loop, or while a group is being
 * written, share one transaction, so the disk is flushed once per group instead of once per write. Each write has a
 * savepoint: a write that fails is rolled back alone. All of a group resolve after the common commit.
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
      const settle: (() => void)[] = []
      for (const write of group) settle.push(await runInSavepoint(write))
      commit()
      groups += 1
      writes += group.length
      for (const settleWrite of settle) settleWrite()
    } catch (error) {
      if (inTransaction()) run('rollback')
      // If BEGIN timed out, reject every queued write: retrying group by group would make each wait for the full
      // timeout again.
      if (group.length === 0) group = queue.splice(0)
      for (const write of group) write.reject(error)
    }
    running = queue.length > 0 ? nextTurn().then(writeGroup) : undefined
  }

  /** Runs one write and returns the function that settles its promise, to be called after the commit. */
  async function runInSavepoint({ work, resolve, reject }: PendingWrite): Promise<() => void> {
    run('savepoint member')
    try {
      const value = await work(db)
      run('release member')
      return () => resolve(value)
    } catch (error) {
      // On some errors, such as a full disk, SQLite rolls back the whole transaction: no write of the group is stored.
      if (!inTransaction()) throw error
      run('rollback to member')
      run('release member')
      return () => reject(error)
    }
  }

  return {
    write<T>(work: (db: Db) => MaybePromise<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      queue.push({ work, resolve: resolve as PendingWrite['resolve'], reject })
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

import type { Db } from './database.ts'

/** Members of one group; the rest wait for the next one. */
const GROUP_LIMIT = 256

interface Member {
  readonly work: (db: Db) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface Transactions {
  /** What the work of a member runs on. */
  readonly db: Db
  /** Runs a statement such as `savepoint` on the same connection. */
  command(sql: string): void
  /** Waits for the turn of this process to write. */
  begin(): Promise<void>
  /** Whether the connection is in a transaction: some errors end it. */
  active(): boolean
}

/**
 * Writes that arrive in the same turn of the event loop, or while a group is written, share one transaction, each in
 * a savepoint of its own, and are answered after the common commit: the disk is waited for once a group, not once a
 * write. A member that fails is rolled back alone.
 */
export function groupCommit(transactions: Transactions) {
  const { db, command, begin, active } = transactions
  const waiting: Member[] = []
  let running: Promise<void> | undefined
  let groups = 0
  let writes = 0

  async function writeGroup(): Promise<void> {
    let group: Member[] = []
    try {
      await begin()
      group = waiting.splice(0, GROUP_LIMIT)
      const answers: (() => void)[] = []
      for (const member of group) answers.push(await inSavepoint(member))
      command('commit')
      groups += 1
      writes += group.length
      for (const answer of answers) answer()
    } catch (error) {
      if (active()) command('rollback')
      // When the turn to write did not come, it came for nobody: the others would wait as long again, group by group.
      if (group.length === 0) group = waiting.splice(0)
      for (const member of group) member.reject(error)
    }
    running = waiting.length > 0 ? nextTurn().then(writeGroup) : undefined
  }

  /** Runs the work of a member and returns what answers it, to be called after the commit. */
  async function inSavepoint({ work, resolve, reject }: Member): Promise<() => void> {
    command('savepoint member')
    try {
      const value = await work(db)
      command('release member')
      return () => resolve(value)
    } catch (error) {
      // Out of disk, for one, SQLite rolls back the whole transaction: then nobody's write is there.
      if (!active()) throw error
      command('rollback to member')
      command('release member')
      return () => reject(error)
    }
  }

  return {
    write<T>(work: (db: Db) => Promise<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      waiting.push({ work, resolve: resolve as Member['resolve'], reject })
      running ??= nextTurn().then(writeGroup)
      return promise
    },
    /** Resolves once no group is being written; at once when there is none. */
    async idle(): Promise<void> {
      while (running) await running
    },
    isRunning: () => running !== undefined,
    commits: () => ({ groups, writes }),
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

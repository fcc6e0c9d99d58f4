import type Sqlite from 'better-sqlite3'
import type { Database, Db } from '../database.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { compiler, executorFor, kyselyOn, whenUnlocked } from './connection.ts'

/** Maximum number of writes in one group. */
const GROUP_LIMIT = 256

interface PendingWrite {
  readonly work: (db: Db) => MaybePromise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** The result of a write in a transaction that is not committed yet. */
interface WriteResult {
  readonly isStored: boolean
  /** Settles the promise of the write, to be called after the commit. */
  settle(): void
}

/** Functions that the writer calls in each of its transactions. */
interface WriterHooks {
  /** Called in each new transaction, which is rolled back when it throws. */
  readonly onBegin?: () => void
  /** Called before each commit. */
  readonly onCommit?: () => void
}

/**
 * Returns the methods of a database that write, on one connection.
 *
 * Commits concurrent writes in groups. Writes that arrive in the same turn of the event loop, or while a group is being
 * written, share one transaction, so the disk is flushed once per group instead of once per write. The promises of all
 * writes in the group resolve after the common commit.
 *
 * Each write has a savepoint, so a write that fails is rolled back alone. Because savepoints are two of the three
 * statements of POST /teams, a group first runs without them, and again with them if a write fails.
 */
export function createWriter(
  connection: Sqlite.Database,
  { onBegin = () => {}, onCommit = () => {} }: WriterHooks = {},
) {
  const execute = executorFor(connection)
  const db: Db = { compiler, execute }
  const kysely = kyselyOn(connection)
  const queue: PendingWrite[] = []
  let running: Promise<void> | undefined
  let groups = 0
  let writes = 0

  const run = (sql: string) => void execute({ sql, name: '' }, [])

  /** Starts a transaction. Waits while another process writes. */
  async function begin(): Promise<void> {
    await whenUnlocked(() => run('begin immediate'))
    try {
      onBegin()
    } catch (error) {
      run('rollback')
      throw error
    }
  }

  function commit(): void {
    onCommit()
    run('commit')
  }

  /** Rolls the transaction back, unless an error has ended it. */
  function rollBack(): void {
    if (connection.inTransaction) run('rollback')
  }

  async function writeGroup(): Promise<void> {
    let group: PendingWrite[] = []
    try {
      await begin()
      group = queue.splice(0, GROUP_LIMIT)
      const results = (await runWithoutSavepoints(group)) ?? (await runInSavepoints(group))
      commit()
      groups += 1
      for (const { isStored, settle } of results) {
        if (isStored) writes += 1
        settle()
      }
    } catch (error) {
      rollBack()
      // If BEGIN timed out, reject every queued write: retrying group by group would make each wait for the full
      // timeout again.
      if (group.length === 0) group = queue.splice(0)
      for (const write of group) write.reject(error)
    }
    running = queue.length > 0 ? nextTurn().then(writeGroup) : undefined
  }

  /** Runs writes without savepoints. If one fails, starts a new transaction and returns undefined. */
  async function runWithoutSavepoints(group: readonly PendingWrite[]): Promise<WriteResult[] | undefined> {
    const results: WriteResult[] = []
    try {
      for (const { work, resolve } of group) {
        const result = work(db)
        const value = result instanceof Promise ? await result : result
        results.push({ isStored: true, settle: () => resolve(value) })
      }
      return results
    } catch {
      rollBack()
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
      run('release member')
      return { isStored: true, settle: () => resolve(value) }
    } catch (error) {
      // On some errors, such as a full disk, SQLite rolls back the whole transaction: no write of the group is stored.
      if (!connection.inTransaction) throw error
      run('rollback to member')
      run('release member')
      return { isStored: false, settle: () => reject(error) }
    }
  }

  function write<T>(work: (db: Db) => MaybePromise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    queue.push({ work, resolve: resolve as PendingWrite['resolve'], reject })
    running ??= nextTurn().then(writeGroup)
    return promise
  }

  const exclusively: Database['exclusively'] = async (work) => {
    await begin()
    try {
      const result = await work(kysely)
      commit()
      return result
    } catch (error) {
      rollBack()
      throw error
    }
  }

  const methods: Pick<Database, 'writeAll' | 'exclusively'> = {
    writeAll: ((work) =>
      write((tx) => {
        const results = work(tx)
        return results.some((result) => result instanceof Promise) ? Promise.all(results) : results
      })) as Database['writeAll'],
    exclusively,
  }
  return {
    methods,
    /** Resolves when no group is being written. */
    async idle(): Promise<void> {
      while (running) await running
    },
    stats: () => ({ groups, writes }),
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

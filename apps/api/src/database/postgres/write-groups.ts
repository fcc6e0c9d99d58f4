import type { Kysely } from 'kysely'
import { UnavailableError } from '../../errors.ts'
import type { Db } from '../database.ts'
import { inBatches } from './batches.ts'
import { isRolledBack } from './errors.ts'
import type { Call } from './exchange.ts'

/** Maximum number of writes in one group. */
export const GROUP_LIMIT = 64

/**
 * Maximum time that a group waits for a lock of another transaction, in milliseconds. After that, each write of the
 * group runs alone, and only the write that needs the lock waits for it. A deadlock of two groups therefore lasts 20
 * ms, and not the second after which the server looks for deadlocks.
 */
const GROUP_LOCK_TIMEOUT_MS = 20

/** Runs statements in one transaction, and resolves with their rows when it is durable. */
type RunTransaction = (calls: readonly Call[], lockTimeoutMs?: number) => Promise<unknown[][]>

type Work = (db: Db) => readonly unknown[]

interface PendingWrite {
  readonly work: Work
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs writes in groups: those that arrive in one turn of the event loop, or while a group is being written, share one
 * packet and one transaction. When a statement fails, the server stores nothing of the group, and each write runs again
 * in its own transaction, so that a write that fails is rejected alone. After a lost connection, no write is repeated, because
 * only the server knows whether the group was stored.
 */
export function groupWrites(
  // biome-ignore lint/suspicious/noExplicitAny: the tables of a profile, see `Db`.
  compiler: Kysely<any>,
  limit: number,
  run: RunTransaction,
  runAlone: RunTransaction,
) {
  async function writeAlone({ work, resolve, reject }: PendingWrite): Promise<void> {
    try {
      const { calls, settle } = record(compiler, work)
      resolve(await settle(await runAlone(calls)))
    } catch (error) {
      reject(error)
    }
  }

  async function writeGroup(group: PendingWrite[]): Promise<void> {
    let rows: unknown[][]
    let recorded: (PendingWrite & Recorded)[]
    try {
      recorded = group.map((write) => ({ ...write, ...record(compiler, write.work) })).sort(byRow)
      rows = await run(
        recorded.flatMap(({ calls }) => calls),
        GROUP_LOCK_TIMEOUT_MS,
      )
    } catch (error) {
      const mayBeStored = error instanceof UnavailableError && !isRolledBack(error.cause)
      for (const write of group) {
        if (mayBeStored) write.reject(error)
        else void writeAlone(write) // not awaited, so that the next group does not wait for locks
      }
      return
    }
    for (const { calls, settle, resolve, reject } of recorded)
      void settle(rows.splice(0, calls.length)).then(resolve, reject)
  }

  const enqueue = limit === 1 ? (write: PendingWrite) => void writeAlone(write) : inBatches(limit, writeGroup)
  return (work: Work): Promise<unknown> =>
    new Promise((resolve, reject) => enqueue({ work, resolve, reject }))
}

interface Recorded {
  readonly calls: readonly Call[]
  /** The values of the last statement. The first is the id of the row that it changes, or reads back after a change. */
  readonly row: string
  /** Passes the rows to the statements of `work`, and returns the results of `work`. */
  settle(rows: readonly unknown[][]): Promise<unknown[]>
}

/**
 * Orders the writes of a group by the rows that they lock. Two groups that lock the same rows in different orders would
 * wait for each other: without the order, 64 clients that change 8 users received less than half as many responses.
 */
const byRow = (a: Recorded, b: Recorded) => (a.row < b.row ? -1 : Number(a.row > b.row))

/** Calls `work`, and returns the statements that it would run. */
// biome-ignore lint/suspicious/noExplicitAny: the tables of a profile, see `Db`.
function record(compiler: Kysely<any>, work: Work): Recorded {
  const calls: Call[] = []
  const resolvers: ((rows: unknown[]) => void)[] = []
  let isSent = false
  const results = work({
    compiler,
    execute(statement, values) {
      if (isSent) throw new Error(`this statement depends on another one: ${statement.sql}`)
      calls.push({ statement, values })
      return new Promise((resolve) => resolvers.push(resolve))
    },
  })
  isSent = true
  return {
    calls,
    row: String(calls.at(-1)?.values),
    settle(rows) {
      for (const [n, resolve] of resolvers.entries()) resolve(rows[n] ?? [])
      return Promise.all(results)
    },
  }
}

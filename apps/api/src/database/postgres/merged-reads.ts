import type { Db, Statement } from '../database.ts'
import { inBatches } from './batches.ts'

/** Maximum number of keys in one statement. */
const KEY_LIMIT = 100

/**
 * The list length that the server assumes for a generic plan, which it makes once. Shorter lists are filled up with a
 * repeated key, which the server ignores: otherwise it would plan a read of two users each time, because a plan for two
 * keys seems cheaper than the generic one, and planning takes longer than the read.
 */
const PLANNED_KEYS = 10

interface PendingRead {
  readonly key: unknown
  readonly resolve: (rows: unknown[]) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs reads by key that arrive in one turn of the event loop, or while two statements of the same kind run, as one
 * statement. The statement starts after all requests that share it have arrived, so it sees every write acknowledged
 * before them.
 */
export function mergeReads(
  execute: (statement: Statement, values: readonly unknown[]) => Promise<unknown[]>,
) {
  const queues = new Map<string, (read: PendingRead) => void>()

  const queueFor = (one: Statement, { key: column, many }: NonNullable<Statement['byKey']>) =>
    inBatches<PendingRead>(KEY_LIMIT, async (reads) => {
      try {
        const keys = [...new Set(reads.map(({ key }) => key))]
        if (keys.length === 1) {
          const rows = await execute(one, keys)
          for (const { resolve } of reads) resolve(rows)
          return
        }
        while (keys.length < PLANNED_KEYS) keys.push(keys[0])
        const rows = (await execute(many(), [keys])) as Record<string, unknown>[]
        const byKey = Map.groupBy(rows, (row) => row[column])
        for (const { key, resolve } of reads) resolve(byKey.get(key) ?? [])
      } catch (error) {
        for (const { reject } of reads) reject(error)
      }
    })

  return ((statement, values) => {
    const { byKey, sql } = statement
    if (byKey === undefined) return execute(statement, values)
    const enqueue = queues.get(sql) ?? queueFor(statement, byKey)
    queues.set(sql, enqueue)
    return new Promise((resolve, reject) => enqueue({ key: values[0], resolve, reject }))
  }) satisfies Db['execute']
}

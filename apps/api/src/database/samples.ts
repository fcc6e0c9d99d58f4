import { setImmediate as nextTurn } from 'node:timers/promises'
import { OperatorError } from '../errors.ts'
import { findRows } from './copy.ts'
import type { Database, Transaction } from './database.ts'
import type { TableShape } from './table.ts'

export interface SampleOptions {
  /** Number of users to create. */
  readonly users: number
  /** Whether all rows, ids included, are the same each time, which requires an empty database. */
  readonly fixed: boolean
}

/** Rows to insert together, by table, parents first. */
export type SampleRows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

export interface InsertOptions {
  /** The tables that must be empty. */
  readonly empty: readonly TableShape[]
  /** Receives the rows of each committed batch. */
  readonly onBatch?: (rows: SampleRows) => void
  /** Ends the loop after the current batch. */
  readonly signal?: AbortSignal
}

/**
 * Inserts batches of rows, each in a transaction. Rows that refer to each other are in one batch, so the database is
 * consistent whenever the process ends. The first transaction checks that tables are empty.
 *
 * @throws OperatorError when a table is not empty.
 */
export async function insertSamples(
  db: Database,
  batches: Iterable<SampleRows>,
  { empty, onBatch, signal }: InsertOptions,
): Promise<void> {
  let unchecked = empty
  for (const rows of batches) {
    await db.exclusively(async (tx) => {
      const table = await findRows(tx, unchecked)
      if (table) throw new OperatorError(`the database has rows in ${table}: it must be empty`)
      await insertRows(tx, rows)
    })
    unchecked = []
    onBatch?.(rows)
    // SQLite returns within one turn of the event loop, so without this pause, the process would not receive a signal.
    await nextTurn()
    if (signal?.aborted) return
  }
}

/** Number of rows in one INSERT. The engines limit the number of parameters to 32,766 and 65,535. */
const INSERT_ROWS = 1000

async function insertRows(tx: Transaction, tables: SampleRows): Promise<void> {
  for (const [name, rows] of Object.entries(tables))
    for (let first = 0; first < rows.length; first += INSERT_ROWS)
      await tx
        .insertInto(name)
        .values(rows.slice(first, first + INSERT_ROWS))
        .execute()
}

import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { OperatorError } from '../errors.ts'
import type { Database, Transaction } from './database.ts'
import type { TableShape } from './table.ts'

/** Receives the progress of a copy, which first writes every row and then reads every row back. */
export type OnProgress = (progress: { phase: 'copying' | 'checking'; done: number; total: number }) => void

/** The number of rows of a table, and the SHA-256 of all rows in the order of the primary key. */
export interface Fingerprint {
  readonly rows: number
  readonly sha256: string
}

/** Number of rows that are in memory at a time, and in one INSERT. */
const PAGE_SIZE = 1000

/**
 * Copies the rows of `tables` (parents first) from one state of a database into another, empty one. The target commits
 * once, so a failed copy leaves no row and can be started again, and the constraints hold throughout. Before the
 * commit, both sides are read and must have the same number of rows and the same checksums.
 *
 * @throws OperatorError when another transaction writes to the target, or when the target is not empty, rejects a
 *   row, or differs after the copy.
 */
export function copyTables(
  from: Database,
  to: Database,
  tables: readonly TableShape[],
  onProgress: OnProgress,
): Promise<Record<string, Fingerprint>> {
  return from.readSnapshot((source) =>
    to.exclusivelyOn(
      tables.map(({ name }) => name),
      async (target) => {
        const filled = await findRows(target, tables)
        if (filled) throw new OperatorError(`the target database has rows in ${filled}: it must be empty`)
        let total = 0
        // Counts in sequence, because a rollback must not overtake other queries, about which the driver warns.
        for (const table of tables) total += await countRows(source, table)
        let done = 0
        const report = (phase: 'copying' | 'checking') => (rows: number) => {
          done += rows
          onProgress({ phase, done, total })
        }
        report('copying')(0)
        // A source on PostgreSQL needs no check, because PostgreSQL stores only UTF-8.
        const check = from.isRemote ? async () => {} : assertUtf8
        for (const table of tables) await copyTable(source, target, table, check, report('copying'))
        done = 0
        const fingerprints: Record<string, Fingerprint> = {}
        for (const table of tables)
          fingerprints[table.name] = await compareTables(source, target, table, report('checking'))
        return fingerprints
      },
    ),
  )
}

/** Returns the name of a table that is not empty, or undefined. */
export async function findRows(db: Transaction, tables: readonly TableShape[]): Promise<string | undefined> {
  for (const { name, key } of tables) {
    const [row] = await db
      .selectFrom(name)
      .select([...key])
      .limit(1)
      .execute()
    if (row) return name
  }
  return undefined
}

async function countRows(db: Transaction, { name }: TableShape): Promise<number> {
  const { rows } = await db
    .selectFrom(name)
    .select(({ fn }) => fn.countAll<string | number>().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(rows)
}

async function copyTable(
  source: Transaction,
  target: Transaction,
  table: TableShape,
  check: typeof assertUtf8,
  onRows: (rows: number) => void,
): Promise<void> {
  for await (const page of readPages(source, table)) {
    await check(source, table, page)
    try {
      await target.insertInto(table.name).values(page).execute()
    } catch (error) {
      // Omits the driver's error code: with it, a unique violation would cause a retry of the transaction.
      throw new OperatorError(`cannot copy ${table.name}: ${(error as Error).message}`)
    }
    onRows(page.length)
  }
}

/** Throws if text is not UTF-8. SQLite stores any bytes as text, and the driver would read invalid bytes as U+FFFD. */
async function assertUtf8(db: Transaction, { name, key }: TableShape, page: Record<string, unknown>[]) {
  for (const row of page)
    for (const [column, value] of Object.entries(row)) {
      if (typeof value !== 'string' || !value.includes('\ufffd')) continue
      const isRow = sql.join(
        key.map((part) => sql`${sql.ref(part)} = ${row[part]}`),
        sql` and `,
      )
      const { rows } = await sql<{
        bytes: Uint8Array
      }>`select cast(${sql.ref(column)} as blob) as bytes from ${sql.table(name)} where ${isRow}`.execute(db)
      if (!rows.every(({ bytes }) => isUtf8(bytes)))
        throw new OperatorError(`cannot copy ${name}: the ${column} of ${row[key[0] as string]} is not UTF-8`)
    }
}

async function compareTables(
  source: Transaction,
  target: Transaction,
  table: TableShape,
  onRows: (rows: number) => void,
): Promise<Fingerprint> {
  const [expected, copied] = await Promise.all([
    fingerprintOf(source, table, () => {}),
    fingerprintOf(target, table, onRows),
  ])
  if (expected.rows !== copied.rows || expected.sha256 !== copied.sha256)
    throw new OperatorError(
      `${table.name} differs after the copy, nothing is stored: ${JSON.stringify({ expected, copied })}`,
    )
  return expected
}

async function fingerprintOf(
  db: Transaction,
  table: TableShape,
  onRows: (rows: number) => void,
): Promise<Fingerprint> {
  const hash = createHash('sha256')
  for await (const page of readPages(db, table)) {
    for (const row of page) hash.update(`${JSON.stringify(table.columns.map((column) => row[column]))}\n`)
    onRows(page.length)
  }
  // Counts independently of the pages, because a page that is skipped by mistake would be skipped on both sides.
  return { rows: await countRows(db, table), sha256: hash.digest('hex') }
}

async function* readPages(
  db: Transaction,
  { name, key, columns, booleans }: TableShape,
): AsyncIterable<Record<string, unknown>[]> {
  const all = db
    .selectFrom(name)
    .select([...columns])
    .limit(PAGE_SIZE)
  const first = key.reduce((query, column) => query.orderBy(column), all)
  const keyColumns = sql.join(key.map((column) => sql.ref(column)))
  let page: Record<string, unknown>[] = await first.execute()
  while (page.length > 0) {
    yield booleans.length === 0 ? page : page.map((row) => withBooleans(row, booleans))
    if (page.length < PAGE_SIZE) return
    // SQLite returns within one turn of the event loop, and the driver frees its statements only between turns. Without
    // this pause, a copy of 500,000 users used 650 MB instead of 273 MB.
    await nextTurn()
    const last = page.at(-1) as Record<string, unknown>
    const keyValues = sql.join(key.map((column) => last[column]))
    page = await first.where(sql<boolean>`(${keyColumns}) > (${keyValues})`).execute()
  }
}

/** Returns a row with true and false in the named columns, where SQLite returns 1 and 0. */
const withBooleans = (row: Record<string, unknown>, names: readonly string[]) => ({
  ...row,
  ...Object.fromEntries(names.map((name) => [name, row[name] === null ? null : Boolean(row[name])])),
})

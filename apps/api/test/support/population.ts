import type { Database } from '../../src/database/database.ts'
import { insertSamples, type SampleOptions } from '../../src/database/samples.ts'
import { createSamples } from '../../src/profile-a/store/samples.ts'

/** Text that an engine, a driver or a checksum could change. */
const UNUSUAL_TEXTS = [
  "O'Hara",
  '"quoted"',
  'back\\slash',
  'two\nlines',
  '\ttab',
  'Zoë',
  'Zoe\u0308',
  '李小龍',
  '👩‍👩‍👧',
  ' ',
  '%_$1?',
]

/** Columns of free text. */
const FREE = new Set(['name', 'description'])

/** Yields the sample rows of the profile with unusual texts in the columns of free text. */
export function* population(options: SampleOptions) {
  for (const tables of createSamples(options))
    yield Object.fromEntries(
      Object.entries(tables).map(([table, rows]) => [table, rows.map((row, n) => withUnusualTexts(row, n))]),
    )
}

const withUnusualTexts = (row: object, n: number) =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      FREE.has(column) && typeof value === 'string'
        ? `${UNUSUAL_TEXTS[n % UNUSUAL_TEXTS.length]} ${value}`.slice(0, 50)
        : value,
    ]),
  )

/** Fills an empty database. */
export const populate = (db: Database, users: number): Promise<void> =>
  insertSamples(db, population({ users, fixed: false }), { empty: [] })

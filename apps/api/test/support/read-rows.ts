import { tables } from '../../src/profile-a/store/schema.ts'
import { openForTest } from './http-fixture.ts'

/** Returns every row of every table of Profile A, in the order of the keys. */
export async function readRows(url: string): Promise<Record<string, Record<string, unknown>[]>> {
  const db = await openForTest(url)
  return db.readSnapshot(async (tx) => {
    const rows: Record<string, Record<string, unknown>[]> = {}
    for (const { name, key } of tables)
      rows[name] = await key
        .reduce((query, column) => query.orderBy(column), tx.selectFrom(name).selectAll())
        .execute()
    return rows
  })
}

import type { MaybePromise } from '../maybe-promise.ts'
import type { Db } from './database.ts'

/** Returns a row that the same transaction has written. A missing row is a defect, so this throws. */
export async function readBack<Id extends string, Row>(
  find: (db: Db, id: Id) => MaybePromise<Row | undefined>,
  db: Db,
  id: Id,
): Promise<Row> {
  const row = await find(db, id)
  if (row === undefined) throw new Error(`${id} is missing after it was written`)
  return row
}

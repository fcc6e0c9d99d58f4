import type { Db } from './database.ts'
import { andThen, type MaybePromise } from './maybe-promise.ts'

/** Returns a row that the same transaction has written. Throws if the row is missing, which is a defect. */
export const readBack = <Id extends string, Row>(
  find: (db: Db, id: Id) => MaybePromise<Row | undefined>,
  db: Db,
  id: Id,
): MaybePromise<Row> =>
  andThen(find(db, id), (row) => {
    if (row === undefined) throw new Error(`${id} is missing after it was written`)
    return row
  })

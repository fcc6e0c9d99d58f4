import DataLoader from 'dataloader'
import type { Compilable, Expression } from 'kysely'
import { compiledForKeys } from '../../database/compiled.ts'
import type { AnyDatabase } from '../../database/engine.ts'

/**
 * Returns a function that reads a record by its id. Calls in the same turn of
 * the event loop share one statement, which `build` creates for their ids.
 * `join` converts rows to records.
 */
export function loadById<
  Id extends string,
  Row,
  Item extends { readonly id: Id },
>(
  db: AnyDatabase,
  build: (ids: readonly Expression<Id>[]) => Compilable<Row>,
  join: (rows: Row[]) => readonly Item[],
): (id: Id) => Promise<Item | undefined> {
  const select = compiledForKeys(db, build)
  const loader = new DataLoader<Id, Item | undefined>(
    async (ids) => {
      const items = join(await select(ids))
      const found = new Map(items.map((item) => [item.id, item]))
      return ids.map((id) => found.get(id))
    },
    {
      // A store lives as long as the service, so a cache would grow forever.
      cache: false,
      maxBatchSize: 128,
      // Batches the reads of a whole turn of the event loop, instead of one
      // tick as DataLoader does by default.
      batchScheduleFn: (dispatch) => void setImmediate(dispatch),
    },
  )
  return (id) => loader.load(id)
}

import DataLoader from 'dataloader'
import type { Compilable, Expression } from 'kysely'
import { compiledForKeys } from '../../database/compiled.ts'
import type { AnyDatabase } from '../../database/engine.ts'

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
      cache: false,
      maxBatchSize: 128,
      // Batches reads of requests that Node handles in several ticks.
      // DataLoader's default batches only one tick.
      batchScheduleFn: (dispatch) => void setImmediate(dispatch),
    },
  )
  return (id) => loader.load(id)
}

import DataLoader from 'dataloader'

/**
 * Returns a function that reads a record by its id, undefined when there is
 * none. The reads of one turn of the event loop share a call of `findAll`.
 */
export function loadById<Id extends string, Item extends { readonly id: Id }>(
  findAll: (ids: readonly Id[]) => Promise<Item[]>,
): (id: Id) => Promise<Item | undefined> {
  const loader = new DataLoader<Id, Item | undefined>(
    async (ids) => {
      const items = new Map((await findAll(ids)).map((item) => [item.id, item]))
      return ids.map((id) => items.get(id))
    },
    {
      cache: false, // a store lives as long as the service
      maxBatchSize: 128,
      batchScheduleFn: (dispatch) => void setImmediate(dispatch), // the default joins the reads of one tick only
    },
  )
  return (id) => loader.load(id)
}

import DataLoader from 'dataloader'

/**
 * Returns a function that reads a record by its id, undefined when there is
 * none. The reads of one turn of the event loop share a call of `findAll`.
 */
export function loadById<Id extends string, Item extends { readonly id: Id }>(
  findAll: (ids: readonly Id[]) => Promise<readonly Item[]>,
): (id: Id) => Promise<Item | undefined> {
  const loader = new DataLoader<Id, Item | undefined>(
    async (ids) => {
      const items = await findAll(ids)
      const found = new Map(items.map((item) => [item.id, item]))
      return ids.map((id) => found.get(id))
    },
    {
      // A store lives as long as the service, so a cache would grow forever.
      cache: false,
      maxBatchSize: 128,
      // DataLoader would batch the reads of one tick only. This batches those
      // of a whole turn of the event loop.
      batchScheduleFn: (dispatch) => void setImmediate(dispatch),
    },
  )
  return (id) => loader.load(id)
}

import DataLoader from 'dataloader'

/**
 * Returns a function that reads a record by its id, undefined when there is
 * none. The reads of one turn of the event loop share a call of `findAll`.
 *
 * `findAll` may omit the records from one id on: `unread`. Later calls read
 * them. If it omits all records, `findLarge` reads the record with the id
 * `unread`.
 */
export function loadById<Id extends string, Item extends { readonly id: Id }>(
  findAll: (
    ids: readonly Id[],
  ) => Promise<{ items: Item[]; unread?: Id | undefined }>,
  findLarge?: (id: Id) => Promise<Item | undefined>,
): (id: Id) => Promise<Item | undefined> {
  type Result = Item | undefined
  const loader = new DataLoader<Id, Result | Promise<Result>>(
    async (ids) => {
      const { items, unread } = await findAll(ids)
      const found = new Map(items.map((item) => [item.id, item]))
      return ids.map((id) => {
        if (unread === undefined || id < unread) return found.get(id)
        return items.length === 0 && id === unread && findLarge
          ? findLarge(id)
          : load(id)
      })
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
  const load = async (id: Id): Promise<Result> => loader.load(id)
  return load
}

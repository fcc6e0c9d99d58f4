import DataLoader from 'dataloader'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'
import { findTeams } from './teams.ts'
import { findUsers } from './users.ts'

/**
 * Reads records by their ids. The reads of one turn of the event loop share a
 * statement.
 */
export const createLoaders = (db: Kysely<Tables>) => ({
  teams: loaderOf((ids: readonly Tables['teams']['id'][]) =>
    findTeams(db, ids),
  ),
  users: loaderOf((ids: readonly Tables['users']['id'][]) =>
    findUsers(db, ids),
  ),
})

export type Loaders = ReturnType<typeof createLoaders>

function loaderOf<Id extends string, Item extends { readonly id: Id }>(
  find: (ids: readonly Id[]) => Promise<Item[]>,
) {
  return new DataLoader<Id, Item | undefined>(
    async (ids) => {
      const items = new Map((await find(ids)).map((item) => [item.id, item]))
      return ids.map((id) => items.get(id))
    },
    {
      cache: false, // a loader lives as long as the service
      maxBatchSize: 128,
      batchScheduleFn: (dispatch) => void setImmediate(dispatch), // the default joins the reads of one tick only
    },
  )
}

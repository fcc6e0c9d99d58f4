import type { RootOperationNode } from 'kysely'
import type { OpenDatabase } from '../../src/open-database.ts'

/** Returns a database that waits for `wait` before it returns the rows of a statement. */
export const withSlowRows = (
  database: OpenDatabase,
  wait: (query: RootOperationNode | undefined) => Promise<void>,
): OpenDatabase => {
  const queries = new WeakMap<object, RootOperationNode>()
  const db = database.db.withPlugin({
    transformQuery({ node, queryId }) {
      queries.set(queryId, node)
      return node
    },
    async transformResult({ result, queryId }) {
      await wait(queries.get(queryId))
      return result
    },
  })
  return { ...database, db }
}

/** Options of a service on a database whose reads wait until `release()` is called. */
export function pausedReads() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let waiting = 0
  const wait = () => {
    waiting += 1
    return released
  }
  const options = (database: OpenDatabase) => ({ database: withSlowRows(database, wait) })
  return { options, release, waiting: () => waiting }
}

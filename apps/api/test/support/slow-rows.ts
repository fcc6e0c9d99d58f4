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

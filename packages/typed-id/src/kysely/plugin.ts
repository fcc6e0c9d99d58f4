import type { KyselyPlugin, QueryId } from 'kysely'
import type { IdStorage } from '../codec.ts'
import type { IdType } from '../core/types.ts'
import { type Columns, columnCodec, columnsOf, convertRows, fold } from './codecs.ts'
import { outputsOf, type Scope } from './scope.ts'
import { createConverter } from './values.ts'

/**
 * The id columns by table: `{ users: { id: UserId, team_id: TeamId } }`. A table is in any schema, `'auth.users'` in one.
 * Null is a column without ids that accepts strings which look like ids.
 */
export type IdColumns = Readonly<Record<string, Readonly<Record<string, IdType<string> | null>>>>

/**
 * Returns a Kysely plugin for databases that store bare UUIDs, as text or as bytes, while queries use ids. With the
 * storage `text`, the database stores ids, and the plugin only checks what is written and read.
 *
 * It converts values that are compared with or written to one of the columns, and the columns of results, including
 * schemas, `case`, `coalesce`, tuples, `any`, `insert … select` and the JSON helpers of Kysely. It does not read the text
 * of `sql` fragments: use `idCodec` there. The names are those of the database, also with a CamelCasePlugin.
 *
 * @throws TypedIdError when a value or a stored value is not an id of the type of its column, with the column's name.
 * @throws TypeError when a query contains an id in another place, or selects ids by an expression that is not supported.
 * @example
 * new Kysely<Tables>({ dialect, plugins: [idPlugin('uuid', { users: { id: UserId, team_id: TeamId } })] })
 * // where('id', '=', UserId.example) sends '0190163d-8694-739b-aea5-966c26f8ad91'
 */
export function idPlugin(storage: IdStorage, tables: IdColumns): KyselyPlugin {
  const named = new Map<string, Columns>()
  const types = new Set<IdType<string> | null>()
  for (const [table, columns] of Object.entries(tables)) {
    const outputs = Object.entries(columns).map(([name, type]) => {
      types.add(type)
      return { name, codec: columnCodec(type, storage, `${table}.${name}`) }
    })
    named.set(fold(table), columnsOf(outputs))
  }
  // The ids of columns that store text are in their form everywhere.
  const isId = (value: unknown) => storage !== 'text' && [...types].some((type) => type?.is(value))
  const root: Scope = { named, sources: [] }
  const convert = createConverter(storage, isId)
  const results = new WeakMap<QueryId, Columns>()

  return {
    transformQuery({ node, queryId }) {
      if (!('explain' in node && node.explain)) results.set(queryId, columnsOf(outputsOf(node, root)))
      return convert(node, root) as typeof node
    },
    async transformResult({ queryId, result }) {
      const columns = results.get(queryId)
      return columns ? { ...result, rows: convertRows(result.rows, columns) } : result
    },
  }
}

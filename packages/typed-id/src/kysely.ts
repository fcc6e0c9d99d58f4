import {
  type ColumnType,
  type KyselyPlugin,
  QueryNode,
  type RawBuilder,
  sql,
} from 'kysely'
import { type IdStorage, idCodec } from './codec.ts'
import { checkParts, type Engine } from './column-check.ts'
import { isIdOf, typesOf } from './core/any-id.ts'
import type { IdOf } from './core/types.ts'
import { outputsOf } from './kysely/queries.ts'
import { mergeColumns, type Scope, unlisted } from './kysely/scope.ts'
import {
  type Column,
  type Columns,
  fail,
  findKeys,
  fold,
  hasSameIds,
  readRow,
  type Shape,
} from './kysely/shapes.ts'
import { IdTransformer } from './kysely/transformer.ts'
import type { IdSource } from './registry.ts'

/**
 * The type of an id column that queries cannot update, such as a primary key:
 * `{ id: IdColumn<typeof UserId> }`.
 */
export type IdColumn<T extends { readonly example: string }> = ColumnType<
  IdOf<T>,
  IdOf<T>,
  never
>

/**
 * Returns the condition of a CHECK constraint that accepts NULL and the ids of
 * a type, or of all types of a registry. Ids with an alias as prefix are
 * rejected.
 *
 * On MySQL and MariaDB, declare the column `character set ascii collate
 * ascii_bin`: with other collations, `=` ignores case. On SQLite, the table
 * must be STRICT: other tables also accept the bytes of an id as a BLOB, which
 * a query for the id does not find. With `pragma encoding = 'UTF-16'`, the
 * condition rejects every id.
 *
 * @example
 * .addColumn('id', 'text', (column) => column.primaryKey().check(idCheck(UserId, 'id', 'sqlite')))
 * // check ("id" glob 'user-[0-9a-f][0-9a-f]…' and length(cast("id" as blob)) = 41)
 */
export function idCheck(
  type: IdSource<string>,
  column: string,
  engine: Engine,
): RawBuilder<boolean> {
  const parts = checkParts(typesOf(type), engine)
  return sql`${sql.join(parts.map(sql.raw), sql.ref(column))}`
}

/**
 * The id columns of each table: `{ users: { id: UserId, team_id: TeamId } }`.
 * The key `users` applies in every schema, `'auth.users'` only in `auth`. Null
 * marks a column whose strings may look like ids, but are not converted.
 */
export type IdColumns = Readonly<
  Record<string, Readonly<Record<string, IdSource<string> | null>>>
>

/**
 * Returns a Kysely plugin that converts ids in queries to the UUIDs that the
 * database stores, and the UUIDs in results, also in JSON, to ids. With the
 * storage `text`, the plugin only checks ids. Then a registry may stand for a
 * type, because the stored id contains its type.
 *
 * The plugin converts parameters that are compared with a column in `tables` or
 * written to such a column. `tables` has the names of the database, even with a
 * CamelCasePlugin.
 *
 * @throws TypedIdError when a parameter or a stored value is not an id of the
 * column's type, with the column's name.
 * @throws TypeError for an id in any other place of a query, and for a query
 * that the plugin cannot analyse. With the storage `text`, such queries pass.
 * @example
 * new Kysely<Tables>({ dialect, plugins: [idPlugin('uuid', { users: { id: UserId, team_id: TeamId } })] })
 * // where('id', '=', UserId.example) sends '0190163d-8694-739b-aea5-966c26f8ad91'
 */
export function idPlugin(storage: IdStorage, tables: IdColumns): KyselyPlugin {
  const types = Object.values(tables)
    .flatMap((columns) => Object.values(columns))
    .flatMap((type) => (type ? typesOf(type) : []))
  const listed = Object.entries(tables).map(([table, columns]) => {
    const shapes = Object.entries(columns).map(([name, type]) => {
      const shape = shapeOf(type, storage, `${table}.${name}`)
      return [fold(name), { name, shape }] as const
    })
    return [
      fold(table),
      new Map<string, Column>([...unlisted(), ...shapes]),
    ] as const
  })
  const isConverted = storage !== 'text' && types.length > 0
  const root: Scope = {
    isConverted,
    isId: (value) => isConverted && types.some((type) => isIdOf(type, value)),
    tables: new Map(listed),
    sources: [],
  }
  const transformer = new IdTransformer()
  const results = new WeakMap<object, Columns>()

  return {
    transformQuery({ node, queryId }) {
      const isExplained = 'explain' in node && node.explain
      const outputs =
        QueryNode.is(node) && !isExplained ? outputsOf(node, root) : []
      const columns = mergeColumns(outputs, root, true)
      results.set(queryId, addColumns(columns, results.get(queryId)))
      return transformer.convertQuery(node, root)
    },
    async transformResult({ queryId, result }) {
      const [first] = result.rows
      if (!first) return result
      const columns = results.get(queryId)
      if (!columns)
        throw new TypeError(
          'idPlugin: compile the query with this plugin, on Kysely 0.28.3 or later',
        )
      const keys = findKeys(first, columns)
      return { ...result, rows: result.rows.map((row) => readRow(row, keys)) }
    },
  }
}

function shapeOf(
  type: IdSource<string> | null,
  storage: IdStorage,
  place: string,
): Shape {
  if (!type) return { place, write: (value) => value }
  const { toDatabase, fromDatabase } = idCodec(type, storage, place)
  return {
    place,
    key: typesOf(type)
      .map(({ prefix }) => prefix)
      .join(),
    read: fromDatabase,
    write: toDatabase as NonNullable<Shape['write']>,
  }
}

/**
 * Merges the columns of two queries that one query builder compiles. Kysely
 * gives both queries the same `queryId`, so the plugin cannot tell from which
 * query a result comes.
 */
function addColumns(own: Columns, before: Columns = own): Columns {
  const merged = new Map<string, Column>()
  for (const [key, column] of [...before, ...own]) {
    const [a, b] = [before.get(key), own.get(key)]
    if (a && b && !hasSameIds(a.shape, b.shape))
      fail(`${b.name} of two queries of one builder`)
    merged.set(key, { ...column, isOptional: !a || !b || !!a.isOptional })
  }
  return merged
}

import {
  type ColumnType,
  type KyselyPlugin,
  type RawBuilder,
  sql,
  type UnknownRow,
} from 'kysely'
import { type IdStorage, idCodec } from './codec.ts'
import { checkParts, type Engine } from './column-check.ts'
import { isIdOf, typesOf } from './core/any-id.ts'
import type { IdOf } from './core/types.ts'
import {
  type Codec,
  type Column,
  fail,
  findKeys,
  fold,
  PLAIN,
  readColumns,
} from './kysely/shapes.ts'
import { expand, isQuery, outputsOf, type Scope } from './kysely/tables.ts'
import { IdTransformer } from './kysely/values.ts'
import type { IdSource } from './registry.ts'

/**
 * The type of a column with the ids of a type, which cannot be updated: `{ id:
 * IdColumn<typeof UserId> }`.
 */
export type IdColumn<T extends { readonly example: string }> = ColumnType<
  IdOf<T>,
  IdOf<T>,
  never
>

/**
 * Returns a condition for a CHECK constraint: the database accepts the same strings as `type.is`, and NULL. With a
 * registry, it accepts the ids of all types, but not their aliases.
 *
 * On MySQL and MariaDB, declare the column `character set ascii collate ascii_bin`: with other collations, `=` ignores
 * case. On SQLite the table must be STRICT: any other table also accepts the bytes of an id as a BLOB, which equals no
 * text. The database must be UTF-8, the default: with `pragma encoding = 'UTF-16'` the condition rejects every id.
 *
 * @see https://www.sqlite.org/lang_expr.html#glob
 * @see https://www.postgresql.org/docs/current/functions-matching.html
 * @see https://dev.mysql.com/doc/refman/8.4/en/regexp.html
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
 * The id columns by table: `{ users: { id: UserId, team_id: TeamId } }`.
 * `users` is the table in any schema, `'auth.users'` only in `auth`. With the
 * storage `text`, a registry stands for ids of any of its types. Null stands
 * for a column whose strings may look like ids, but are not converted.
 */
export type IdColumns = Readonly<
  Record<string, Readonly<Record<string, IdSource<string> | null>>>
>

/**
 * Returns a Kysely plugin for databases that store bare UUIDs, as text or as
 * bytes, while queries use ids. With the storage `text`, the database stores
 * ids, and the plugin only checks what is written and read.
 *
 * It converts values that a query compares with one of the columns or writes to
 * one, and columns that it selects or returns, also in JSON. `tables` has the
 * names of the database, also with a CamelCasePlugin.
 *
 * @throws TypedIdError when a parameter or a stored value is not an id of the
 * column's type, with the column's name.
 * @throws TypeError for an id, in any form, in another place of a query, and
 * for what the plugin does not support.
 * @example
 * new Kysely<Tables>({ dialect, plugins: [idPlugin('uuid', { users: { id: UserId, team_id: TeamId } })] })
 * // where('id', '=', UserId.example) sends '0190163d-8694-739b-aea5-966c26f8ad91'
 */
export function idPlugin(storage: IdStorage, tables: IdColumns): KyselyPlugin {
  const types = Object.values(tables)
    .flatMap((columns) => Object.values(columns))
    .flatMap((type) => (type ? typesOf(type) : []))
  const named = Object.entries(tables).map(([table, columns]) => {
    const codecs = Object.entries(columns).map(([name, type]) => {
      const place = `${table}.${name}`
      const shape = type ? createCodec(type, storage, place) : PLAIN
      return [fold(name), { name, shape }] as const
    })
    return [fold(table), new Map(codecs)] as const
  })
  const root: Scope = { tables: new Map(named), named: new Map(), sources: [] }
  // Returns whether a value has to be converted: an id, unless the storage is
  // `text`.
  const isId = (value: unknown) =>
    storage !== 'text' && types.some((type) => isIdOf(type, value))
  const transformer = new IdTransformer(storage, root, isId)
  const results = new WeakMap<object, Result>()

  return {
    transformQuery({ node, queryId }) {
      const columns =
        isQuery(node) && !('explain' in node && node.explain)
          ? expand(outputsOf(node, root))
          : []
      for (const { name, shape } of columns)
        if (shape && (!name || !shape.read))
          fail(
            shape.read
              ? `the selected expression with ${shape.place}`
              : shape.place,
          )
      results.set(queryId, mergeResult(columns, results.get(queryId)))
      return transformer.convertQuery(node)
    },
    async transformResult({ queryId, result }) {
      return { ...result, rows: readRows(result.rows, results.get(queryId)) }
    },
  }
}

function createCodec(
  type: IdSource<string>,
  storage: IdStorage,
  place: string,
): Codec {
  const prefixes = typesOf(type).map(({ prefix }) => prefix)
  const { toDatabase, fromDatabase } = idCodec(type, storage, place)
  return {
    key: prefixes.join(),
    prefixes,
    place,
    write: toDatabase as Codec['write'],
    read: fromDatabase,
  }
}

/**
 * The columns in the results of a query. Queries that were made from one
 * builder share one object.
 */
interface Result {
  readonly columns: readonly Column[]
  /** Whether a result may lack some of the columns. */
  readonly isShared: boolean
}

/**
 * Adds the columns of a query to those of other queries from the same builder,
 * because Kysely gives all of them one query id.
 */
function mergeResult(columns: readonly Column[], others?: Result): Result {
  const own = new Map(columns.map((column) => [column.name, column]))
  const all = new Map(others?.columns.map((column) => [column.name, column]))
  const before = all.size
  for (const [name, column] of own) {
    // A CamelCasePlugin may have renamed a column of one query.
    const other =
      all.get(name) ??
      others?.columns.find((one) => fold(one.name) === fold(name))
    if (other && other.shape?.key !== column.shape?.key)
      fail(`${name} of two queries of one builder`)
  }
  for (const [name, column] of own) all.set(name, column)
  return {
    columns: [...all.values()],
    isShared: !!others && (others.isShared || before !== all.size),
  }
}

/**
 * Converts the ids in rows. `result` is undefined if a Kysely without this
 * plugin has compiled the query.
 */
function readRows(
  rows: UnknownRow[],
  result: Result | undefined,
): UnknownRow[] {
  const [first] = rows
  if (!first) return rows
  if (!result)
    throw new TypeError('idPlugin: compile the query with this plugin')
  const { columns, isShared } = result
  const keys = findKeys(first, columns, isShared)
  return rows.map((row) => readColumns(row, keys))
}

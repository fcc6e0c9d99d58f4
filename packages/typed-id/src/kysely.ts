import {
  type ColumnType,
  type KyselyPlugin,
  type QueryId,
  type RawBuilder,
  sql,
  type UnknownRow,
} from 'kysely'
import { type IdStorage, idCodec } from './codec.ts'
import { checkParts, type Engine } from './column-check.ts'
import { type AnyIdType, isIdOf, typesOf } from './core/any-id.ts'
import type { IdOf } from './core/types.ts'
import {
  type Codec,
  fail,
  fold,
  isQuery,
  type Node,
  type Output,
  outputsOf,
  type Scope,
} from './kysely/tables.ts'
import { createConverter } from './kysely/values.ts'
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
 * `users` is the table in any schema, `'auth.users'` only in `auth`. Null
 * stands for a column whose strings may look like ids, but are not converted.
 */
export type IdColumns = Readonly<
  Record<string, Readonly<Record<string, AnyIdType | null>>>
>

/**
 * Returns a Kysely plugin for databases that store bare UUIDs, as text or as
 * bytes, while queries use ids. With the storage `text`, the database stores
 * ids, and the plugin only checks what is written and read.
 *
 * It converts values that a query compares with one of the columns or writes to
 * one, and columns that it selects or returns. `tables` has the names of the
 * database, also with a CamelCasePlugin.
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
  const types = Object.values(tables).flatMap((columns) =>
    Object.values(columns),
  )
  const named = Object.entries(tables).map(([table, columns]) => {
    const codecs = Object.entries(columns).map(
      ([name, type]) =>
        [fold(name), createCodec(type, storage, `${table}.${name}`)] as const,
    )
    return [fold(table), new Map(codecs)] as const
  })
  const root: Scope = { ...NO_TABLES, tables: new Map(named) }
  // Returns whether a value has to be converted: an id, unless the storage is
  // `text`.
  const isId = (value: unknown) =>
    storage !== 'text' && types.some((type) => type && isIdOf(type, value))
  const convert = createConverter(storage, isId)
  const results = new WeakMap<QueryId, Result>()

  return {
    transformQuery({ node, queryId }) {
      const outputs =
        isQuery(node) && !(node as Node).explain ? outputsOf(node, root) : []
      results.set(queryId, mergeResult(outputs, results.get(queryId)))
      // Kysely has already converted the ids of a view's query. `NO_TABLES`
      // makes any other id in it an error.
      return convert(
        node,
        node.kind === 'CreateViewNode' ? NO_TABLES : root,
      ) as typeof node
    },
    async transformResult({ queryId, result }) {
      return { ...result, rows: readRows(result.rows, results.get(queryId)) }
    },
  }
}

const NO_TABLES: Scope = { tables: new Map(), sources: [] }

function createCodec(
  type: AnyIdType | null,
  storage: IdStorage,
  column: string,
): Codec {
  const keep = (value: unknown) => value
  if (!type) return { column, prefix: '', toDatabase: keep, fromDatabase: keep }
  const { toDatabase, fromDatabase } = idCodec(type, storage, column)
  return {
    column,
    prefix: type.prefix,
    toDatabase: toDatabase as Codec['toDatabase'],
    fromDatabase,
  }
}

/**
 * The id columns in the results of a query, by name. Queries that were made
 * from one builder share one object.
 */
interface Result {
  readonly columns: ReadonlyMap<string, Codec | undefined>
  /** Whether a result may lack some of the columns. */
  readonly isShared: boolean
}

/**
 * Adds the columns of a query to those of other queries from the same builder,
 * because Kysely gives all of them one query id.
 */
function mergeResult(outputs: readonly Output[], others?: Result): Result {
  const columns = new Map(outputs.map(({ name, codec }) => [name, codec]))
  const known = [...(others?.columns ?? [])]
  for (const [name, codec] of columns) {
    // A CamelCasePlugin may have renamed a column of one query.
    const other =
      known.find(([one]) => one === name) ??
      known.find(([one]) => fold(one) === fold(name))
    if (other && other[1]?.prefix !== codec?.prefix)
      fail(`${name} of two queries of one builder`)
  }
  const all = new Map([...known, ...columns])
  return {
    columns: all,
    isShared: !!others && (others.isShared || known.length !== all.size),
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
  const codecs = new Map<string, Codec>()
  for (const [name, codec] of result.columns) {
    const key =
      name in first
        ? name
        : Object.keys(first).find((one) => fold(one) === fold(name))
    if (!codec) continue
    if (key !== undefined) codecs.set(key, codec)
    else if (!result.isShared)
      throw new TypeError(`idPlugin: the result has no column ${codec.column}`)
  }
  return rows.map((row) => {
    const copy = { ...row }
    for (const [key, codec] of codecs) copy[key] = codec.fromDatabase(row[key])
    return copy
  })
}

import { type ColumnType, type KyselyPlugin, type QueryId, type RawBuilder, sql } from 'kysely'
import type { IdStorage } from './codec.ts'
import { patternToGlob, postgresConditions } from './core/column-check.ts'
import type { IdOf, IdType } from './core/types.ts'
import { type Columns, columnCodec, convertRows, fold, type Output } from './kysely/codecs.ts'
import type { Node } from './kysely/nodes.ts'
import { columnsOf, mergeOutputs, OTHERS } from './kysely/outputs.ts'
import { outputsOf, type Scope } from './kysely/scope.ts'
import { createConverter } from './kysely/values.ts'

/** The type of a column with the ids of a type, which cannot be updated: `{ id: IdColumn<typeof UserId> }`. */
export type IdColumn<T extends { readonly example: string }> = ColumnType<IdOf<T>, IdOf<T>, never>

/**
 * Returns a condition for a CHECK constraint: a text column contains a standard id of a type. It is derived from the
 * pattern of the type, so the database accepts the same strings as `type.is`. Like every CHECK, it accepts NULL.
 *
 * On MySQL and MariaDB the column must be declared `character set ascii collate ascii_bin`: other collations ignore
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
  type: IdType<string>,
  column: string,
  engine: 'sqlite' | 'postgres' | 'mysql',
): RawBuilder<boolean> {
  const name = sql.ref(column)
  const length = sql.lit(type.example.length)
  if (engine === 'postgres') {
    const conditions = postgresConditions(type).map((condition) => sql`${name} ${sql.raw(condition)}`)
    return sql`${sql.join(conditions, sql` and `)}`
  }
  // The length is checked because $ also matches before a final line break.
  if (engine === 'mysql') return sql`${name} regexp ${sql.lit(type.pattern)} and length(${name}) = ${length}`
  // GLOB and length() ignore everything after a NUL character, so the length is that in bytes.
  return sql`${name} glob ${sql.lit(patternToGlob(type.pattern))} and length(cast(${name} as blob)) = ${length}`
}

/**
 * The id columns by table: `{ users: { id: UserId, team_id: TeamId } }`. `users` is the table in any schema,
 * `'auth.users'` only in `auth`. Null stands for a column without ids that accepts strings which look like ids.
 */
export type IdColumns = Readonly<Record<string, Readonly<Record<string, IdType<string> | null>>>>

/**
 * Returns a Kysely plugin for databases that store bare UUIDs, as text or as bytes, while queries use ids. With the
 * storage `text`, the database stores ids, and the plugin only checks what is written and read.
 *
 * It converts values that are compared with or written to one of the columns, and the columns of results. It supports
 * schemas, `case`, `coalesce`, tuples, `any`, `insert … select` and Kysely's JSON helpers, but does not read the text
 * of `sql` fragments: use `idCodec` there. `tables` has the names of the database, also with a CamelCasePlugin.
 *
 * @throws TypedIdError when a parameter or a stored value is not an id of the column's type, with the column's name.
 * @throws TypeError when a query contains an id, in either form, in another place, or selects ids by an unsupported
 * expression. Also for rows of a query that was compiled without the plugin, and when two queries made from one builder
 * have ids of two types under one name, because Kysely gives both the same query id.
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
    named.set(fold(table), columnsOf([...outputs, OTHERS]))
  }
  // With the storage `text`, no value has to be converted: ids are stored in the form that queries use.
  const isId = (value: unknown) => storage !== 'text' && [...types].some((type) => type?.isEitherForm(value))
  const root: Scope = { named, sources: [] }
  const convert = createConverter(storage, isId)
  const results = new WeakMap<QueryId, readonly Output[]>()

  return {
    transformQuery({ node, queryId }) {
      const outputs = (node as Node).explain ? [] : outputsOf(node, root)
      results.set(queryId, mergeOutputs(outputs, results.get(queryId)))
      // The query of a view is converted already, and contains bare UUIDs. An id there is rejected.
      return convert(
        node,
        node.kind === 'CreateViewNode' ? { named: new Map(), sources: [] } : root,
      ) as typeof node
    },
    async transformResult({ queryId, result }) {
      return { ...result, rows: convertRows(result.rows, results.get(queryId)) }
    },
  }
}

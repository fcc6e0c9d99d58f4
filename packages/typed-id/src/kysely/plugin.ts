import type { KyselyPlugin, QueryId, UnknownRow } from 'kysely'
import { type IdStorage, idCodec } from '../codec.ts'
import type { IdType } from '../core/types.ts'
import { type Codec, outputsOf, type Scope } from './scope.ts'
import { convertValues } from './values.ts'

/** The id columns by table: `{ users: { id: UserId, team_id: TeamId } }`. A table in a schema is `'auth.users'`. */
export type IdColumns = Readonly<Record<string, Readonly<Record<string, IdType<string>>>>>

/**
 * Returns a Kysely plugin for databases that store bare UUIDs, as text or as bytes, while queries use ids. With the
 * storage `text`, the database stores ids, and the plugin only checks what is written and read.
 *
 * It converts values that are compared with or written to one of the columns, and the columns of results. It does not
 * convert ids inside `sql` fragments, JSON, `case`, tuples, `merge`, and functions other than `min`, `max` and
 * `coalesce`: use `idCodec` there. Add it after a CamelCasePlugin, with the names that the database uses.
 *
 * @throws TypedIdError when a value or a stored value is not an id of the type of its column, with the column's name.
 * @throws TypeError when the result lacks a column, because another plugin has renamed it.
 * @example
 * new Kysely<Tables>({ dialect, plugins: [idPlugin('uuid', { users: { id: UserId, team_id: TeamId } })] })
 * // where('id', '=', UserId.example) sends '0190163d-8694-739b-aea5-966c26f8ad91'
 */
export function idPlugin(storage: IdStorage, tables: IdColumns): KyselyPlugin {
  const codecs = Object.entries(tables).map(([table, columns]) => {
    const entries = Object.entries(columns)
    return [
      table,
      new Map(entries.map(([name, type]) => [name, createCodec(type, storage, `${table}.${name}`)])),
    ] as const
  })
  const root: Scope = { named: new Map(codecs), tables: new Map() }
  const outputs = new WeakMap<QueryId, Map<string, Codec | undefined>>()

  return {
    transformQuery({ node, queryId }) {
      outputs.set(queryId, new Map(outputsOf(node, root)))
      return convertValues(node, root)
    },
    async transformResult({ queryId, result }) {
      const columns = outputs.get(queryId)
      return columns ? { ...result, rows: convertRows(result.rows, columns) } : result
    },
  }
}

/**
 * Returns a codec that leaves a converted value unchanged, because Kysely calls the plugins again when a query that was
 * built from `db` becomes part of another query. A string of 36 characters is not an id: the shortest has 38.
 */
function createCodec(type: IdType<string>, storage: IdStorage, column: string): Codec {
  const { toDatabase, fromDatabase } = idCodec(type, storage, column)
  const isConverted = (value: unknown) =>
    storage === 'bytes' ? value instanceof Uint8Array : storage === 'uuid' && `${value}`.length === 36
  return { fromDatabase, toDatabase: (value) => (isConverted(value) ? (value as never) : toDatabase(value)) }
}

function convertRows(rows: UnknownRow[], columns: Map<string, Codec | undefined>): UnknownRow[] {
  const [first] = rows
  if (!first) return rows
  const converted = [...columns].flatMap(([name, codec]) =>
    codec ? [[keyOf(name, first), codec] as const] : [],
  )
  return rows.map((row) => {
    const copy = { ...row }
    for (const [key, { fromDatabase }] of converted) copy[key] = fromDatabase(row[key])
    return copy
  })
}

/** Returns the key of a column in a row. A CamelCasePlugin before this plugin has renamed `team_id` to `teamId`. */
function keyOf(column: string, row: UnknownRow): string {
  if (column in row) return column
  const fold = (name: string) => name.replaceAll('_', '').toLowerCase()
  const key = Object.keys(row).find((name) => fold(name) === fold(column))
  if (key === undefined) throw new TypeError(`idPlugin: the result has no column ${column}`)
  return key
}

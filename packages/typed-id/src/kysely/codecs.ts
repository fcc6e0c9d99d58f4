import type { UnknownRow } from 'kysely'
import { type IdStorage, idCodec } from '../codec.ts'
import type { IdType } from '../core/types.ts'

/** The conversions of a column or of an expression that returns its values. */
export interface Codec {
  /** The name in error messages, such as `users.id`. */
  readonly column: string
  /** The prefix of the ids. Expressions with different prefixes cannot be mixed. */
  readonly prefix: string
  /** Undefined for JSON, because a value that a query compares with JSON is not converted. */
  readonly toDatabase?: (value: unknown) => unknown
  fromDatabase(value: unknown): unknown
}

/** A column of a result: its name, and its codec if the column contains ids. */
export interface Output {
  readonly name: string
  readonly codec: Codec | undefined
  /** Whether the column is missing in the result of another query of the same builder. */
  readonly isOptional?: boolean
}

/** The known columns of a table, subquery or common table expression, by the result of `fold` for their names. */
export type Columns = ReadonlyMap<string, Output>

/** Returns the same key for `teamId`, the name with a CamelCasePlugin, and `team_id`, the name in the database. */
export const fold = (name: string): string => name.replaceAll('_', '').toLowerCase()

/** Returns the codec of an id column, which also converts arrays of ids. With null, it leaves all values unchanged. */
export function columnCodec(type: IdType<string> | null, storage: IdStorage, column: string): Codec {
  const keep = (value: unknown) => value
  if (!type) return { column, prefix: '', toDatabase: keep, fromDatabase: keep }
  const { toDatabase, fromDatabase } = idCodec(type, storage, column)
  const convert = (conversion: (value: never) => unknown) =>
    function each(value: unknown): unknown {
      return Array.isArray(value) ? value.map(each) : conversion(value as never)
    }
  return { column, prefix: type.prefix, toDatabase: convert(toDatabase), fromDatabase: convert(fromDatabase) }
}

/** Returns the codec of a JSON object that has id columns, or of an array of such objects, parsed or as a string. */
export function jsonCodec(columns: readonly Output[]): Codec | undefined {
  const codecs = columns.flatMap(({ codec }) => codec ?? [])
  const [first] = codecs
  if (!first) return undefined
  function read(value: unknown): unknown {
    if (typeof value === 'string') return JSON.stringify(read(JSON.parse(value)))
    if (Array.isArray(value)) return value.map(read)
    return value && convertRows([value as UnknownRow], columns)[0]
  }
  const prefix = `JSON ${codecs.map(({ prefix }) => prefix)}`
  return { column: first.column, prefix, fromDatabase: read }
}

/**
 * Converts the columns of rows. `columns` is undefined if another Kysely has compiled the query.
 *
 * @throws TypeError when the columns are unknown, or the rows lack one, because another plugin has renamed it.
 */
export function convertRows(rows: UnknownRow[], columns: readonly Output[] | undefined): UnknownRow[] {
  const codecs = new Map<string, Codec | undefined>()
  const first = rows[0]
  if (!first) return rows
  if (!columns) throw new TypeError('idPlugin: compile the query with this plugin')
  for (const { name, codec, isOptional } of columns) {
    const key = name in first ? name : Object.keys(first).find((one) => fold(one) === fold(name))
    if (key !== undefined) codecs.set(key, codec)
    else if (codec && !isOptional) throw new TypeError(`idPlugin: the result has no column ${name}`)
  }
  return rows.map((row) => {
    const copy = { ...row }
    for (const [key, codec] of codecs) if (codec) copy[key] = codec.fromDatabase(row[key])
    return copy
  })
}

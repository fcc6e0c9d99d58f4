import { TypedIdError } from './core/error.ts'
import { parsePrefix } from './core/grammar.ts'
import type { IdRegistry } from './core/registry.ts'
import type { IdType, TypedId } from './core/types.ts'
import { firstIdAt, lastIdAt } from './range.ts'

/** The method `function` of a `Database` (better-sqlite3) or a `DatabaseSync` (`node:sqlite`). */
export interface FunctionRegistrar {
  function(
    name: string,
    options: { readonly deterministic: boolean },
    implementation: (...values: unknown[]) => string | null,
  ): unknown
}

/** Matches a time of SQLite, in UTC: '2024-06-14', '2024-06-14 10:14:09' or '2024-06-14T10:14:09.300Z'. */
const TIME = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d:\d\d(?:\.\d+)?Z?)?$/

/**
 * Adds functions for the ids of a registry to a connection. They have the names of the functions that `typed-id sql`
 * prints for other engines: `typed_id_generate(prefix)`, `typed_id_to_short(id)`, `typed_id_from_short(short)`,
 * `typed_id_to_uuid(id)`, `typed_id_from_uuid(prefix, uuid)`, `typed_id_time(id)`, `typed_id_first_at(prefix, time)` and
 * `typed_id_last_at(prefix, time)`. All but the first are deterministic, so indexes and generated columns can use them;
 * every connection to such a database must then call `registerFunctions`. Ids with an alias of the registry are accepted,
 * and returned with the current prefix. The parameter `prefix` is a current prefix.
 *
 * A time is a string in a format of SQLite, in UTC, such as '2024-06-14T10:14:09.300Z' or `datetime('now')`. Every function returns NULL
 * for NULL. In a statement, an invalid value throws the TypedIdError of the method with the corresponding name.
 *
 * @see https://www.sqlite.org/deterministic.html
 * @example
 * registerFunctions(db, idRegistry([UserId, TeamId]))
 * db.prepare('select typed_id_to_short(id) from users').pluck().get() // 'user_01j0b3v1mmeedtx9cpdgkfhbch'
 */
export function registerFunctions<P extends string>(db: FunctionRegistrar, ids: IdRegistry<P>): void {
  const types = new Map<string, IdType<string>>(ids.types.map((type) => [type.prefix, type as never]))

  /** Defines an SQL function that takes an id. Replaces an alias by the current prefix. `convert` accepts one form. */
  function defineOfId(name: string, convert: (type: IdType<string>, id: string) => string | null) {
    define1(name, (id) => {
      const { type } = ids.parse(id)
      return convert(typeFor(type), type + String(id).slice(parsePrefix(id)?.length))
    })
  }

  function typeFor(prefix: string): IdType<string> {
    const type = types.get(prefix)
    if (type) return type
    throw new TypedIdError('unknown_prefix', [...types.keys()].join(', '), prefix)
  }

  const define1 = (name: string, convert: (value: never) => string | null, deterministic = true) =>
    db.function(`typed_id_${name}`, { deterministic }, (value) =>
      value === null ? null : convert(value as never),
    )
  const define2 = (name: string, convert: (prefix: string, value: never) => string | null) =>
    db.function(`typed_id_${name}`, { deterministic: true }, (prefix, value) =>
      prefix === null || value === null ? null : convert(prefix as never, value as never),
    )

  define1('generate', (prefix) => typeFor(prefix).generate(), false)
  defineOfId('to_short', (type, id) => type.toShort(id as TypedId<string>))
  defineOfId('from_short', (type, short) => type.fromShort(short))
  defineOfId('to_uuid', (type, id) => type.toUuid(id as TypedId<string>))
  define2('from_uuid', (prefix, uuid) => typeFor(prefix).fromUuid(uuid))
  defineOfId('time', (type, id) => type.timestamp(id as TypedId<string>)?.toISOString() ?? null)
  define2('first_at', (prefix, time) => firstIdAt(typeFor(prefix), parseTime(time)))
  define2('last_at', (prefix, time) => lastIdAt(typeFor(prefix), parseTime(time)))
}

function parseTime(time: unknown): Date {
  const text = TIME.test(String(time)) ? String(time) : ''
  const date = new Date(text.length > 10 ? `${text.slice(0, 10)}T${text.slice(11).replace('Z', '')}Z` : text)
  // Compares the day, because Date accepts '2024-02-31' as March 2.
  if (text && date.getTime() >= 0 && date.toISOString().startsWith(text.slice(0, 10))) return date
  throw new TypedIdError('invalid_time', "'YYYY-MM-DD HH:MM:SS.SSS' since 1970, in UTC", time)
}

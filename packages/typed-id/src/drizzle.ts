import {
  type Column,
  entityKind,
  getTableColumns,
  getTableName,
  is,
  type Param,
  SQL,
  sql,
} from 'drizzle-orm'
import type { customType as mysqlType } from 'drizzle-orm/mysql-core'
import type { customType as postgresType } from 'drizzle-orm/pg-core'
import type { customType as sqliteType } from 'drizzle-orm/sqlite-core'
import { type IdCodec, type IdStorage, idCodec } from './codec.ts'
import { columnConditions, type Engine } from './column-check.ts'
import type { AnyIdType } from './core/any-id.ts'
import { UUID_PATTERN } from './core/grammar.ts'
import type { IdDefinition } from './core/types.ts'

export interface IdColumnData<Id extends string> {
  data: Id
  driverData: string | Uint8Array
}

/** The engine for each start of the name of a Drizzle class. */
const ENGINES: Readonly<Record<string, Engine>> = {
  Pg: 'postgres',
  MySql: 'mysql',
  SQLite: 'sqlite',
}

const SQL_TYPES: Readonly<Record<Engine, Readonly<Record<IdStorage, string>>>> =
  {
    postgres: { text: 'text', uuid: 'uuid', bytes: 'bytea' },
    mysql: { text: 'varchar', uuid: 'uuid', bytes: 'binary(16)' },
    sqlite: { text: 'text', uuid: 'text', bytes: 'blob' },
  }

export interface IdColumnOptions {
  /** How the column stores ids, as in `idCodec`. `text` by default. */
  storage?: IdStorage
  /**
   * The SQL type of the column, such as a domain (`user_id`) or `char(41)`. Name
   * the type of an existing column: `drizzle-kit push` changes any other.
   */
  sqlType?: string
}

/**
 * Returns a column type of Drizzle for the ids of a type. It checks and
 * converts each id that Drizzle sends and reads. `define` is the `customType`
 * of `drizzle-orm/pg-core`, `mysql-core` or `sqlite-core`.
 *
 * The storages are as in `idCodec`: `text`, `uuid` (`uuid` on PostgreSQL and
 * MariaDB, text on SQLite) and `bytes` (`bytea`, `binary(16)`, `blob`). Drizzle
 * converts parameters of columns only: write `sql.param(id, users.id)` in
 * `sql`, and `idPlaceholder` instead of `sql.placeholder`.
 *
 * @throws TypedIdError when a query or a row contains an invalid id, with the
 * name of the column. TypeError for an unknown storage, for a function that is
 * not the `customType` of one of the three, and, from the first query, for a
 * column that Drizzle cannot convert: an array of bytes, and a default id that
 * is not stored as text.
 * @see https://orm.drizzle.team/docs/custom-types
 * @example
 * const userId = idColumn(customType, UserId, 'uuid')
 * const users = pgTable('users', { id: userId().primaryKey().$defaultFn(UserId.generate), invitedBy: userId('invited_by') })
 */
export function idColumn<Id extends string>(
  define: typeof postgresType,
  type: IdDefinition<string, Id>,
  options?: IdStorage | IdColumnOptions,
): ReturnType<typeof postgresType<IdColumnData<Id>>>
export function idColumn<Id extends string>(
  define: typeof mysqlType,
  type: IdDefinition<string, Id>,
  options?: IdStorage | IdColumnOptions,
): ReturnType<typeof mysqlType<IdColumnData<Id>>>
export function idColumn<Id extends string>(
  define: typeof sqliteType,
  type: IdDefinition<string, Id>,
  options?: IdStorage | IdColumnOptions,
): ReturnType<typeof sqliteType<IdColumnData<Id>>>
export function idColumn(
  define: (params: never) => unknown,
  type: AnyIdType,
  options: IdStorage | IdColumnOptions = {},
): unknown {
  const { storage = 'text', sqlType } =
    typeof options === 'string' ? { storage: options } : options
  const codecs = new WeakMap<Column, IdCodec<string, IdStorage>>()
  idCodec(type, storage, type.prefix) // throws if the storage is unknown

  function codecOf(column: Column): IdCodec<string, IdStorage> {
    let codec = codecs.get(column)
    if (!codec) {
      checkColumn(column, storage)
      codec = idCodec(type, storage, nameOf(column))
      codecs.set(column, codec)
    }
    return codec
  }

  const create = define({
    dataType: () => columnType,
    // Drizzle calls both functions as methods of the column. `toDriver` rejects
    // undefined, which the driver would send as null.
    toDriver(this: Column, id: unknown) {
      return codecOf(this).toDatabase(
        (id === undefined ? 'undefined' : id) as string,
      )
    },
    fromDriver(this: Column, value: unknown) {
      return codecOf(this).fromDatabase(value)
    },
  } as never) as () => object
  const own = SQL_TYPES[engineOf(create())][storage]
  const columnType =
    sqlType ?? (own === 'varchar' ? `varchar(${type.example.length})` : own)
  return create
}

/**
 * Throws for a column whose ids Drizzle would write in a wrong form. Drizzle
 * writes an array as text, which cannot contain bytes that are not UTF-8, and
 * drizzle-kit does not convert a default value.
 */
function checkColumn(column: Column, storage: IdStorage): void {
  const { dataType, default: value } = ownColumn(column)
  if (storage === 'bytes' && (dataType as string) === 'array')
    throw new TypeError(
      `column ${nameOf(column)}: an array of ids needs the storage text or uuid`,
    )
  if (storage !== 'text' && value !== undefined && !is(value, SQL))
    throw new TypeError(
      `column ${nameOf(column)}: write the default as SQL, in the form that the column stores`,
    )
}

/**
 * Returns a placeholder of a prepared statement that converts its value like
 * the column. Drizzle does not convert the value of a plain `sql.placeholder`.
 *
 * @example
 * const query = db.select().from(users).where(eq(users.id, idPlaceholder(users.id, 'id'))).prepare('find')
 * query.execute({ id: UserId.example })
 */
export function idPlaceholder(column: Column, name: string): Param {
  return sql.param(sql.placeholder(name), column)
}

/**
 * Returns the condition of a CHECK for Drizzle's `check`: the column stores an
 * id of the type. On SQLite, a table that is not STRICT also accepts the bytes
 * of an id as a BLOB, which Drizzle never writes.
 *
 * @throws TypeError for a native column, `uuid`, `bytea` or `binary(16)`.
 * TypedIdError `wrong_type` for a column of another type.
 * @example
 * pgTable('users', { id: userId().primaryKey() }, (users) => [check('users_id', idCheck(UserId, users.id))])
 */
export function idCheck(
  type: AnyIdType,
  column: Pick<Column, 'name' | 'table'>,
): SQL {
  const own = ownColumn(column)
  const engine = engineOf(own)
  const stored = own.mapToDriverValue(type.example)
  const isText = stored === type.example
  if (!isText && engine !== 'sqlite')
    throw new TypeError(
      `column ${nameOf(column)}: the type ${own.getSQLType()} needs no CHECK`,
    )
  if (typeof stored !== 'string')
    return sql`typeof(${column}) = 'blob' and length(${column}) = 16`
  const pattern = isText ? type.pattern : `^${UUID_PATTERN}$`
  const { length } = stored
  const conditions = columnConditions(
    { prefix: type.prefix, pattern, length },
    engine,
  ).map(([before, after]) => sql`${sql.raw(before)}${column}${sql.raw(after)}`)
  return sql.join(conditions, sql` and `)
}

/**
 * Returns a column with its conversions. On PostgreSQL, a table passes columns
 * without conversions to its constraints, and the elements of an array have a
 * separate column, which may have no name.
 */
function ownColumn(column: Pick<Column, 'name' | 'table'>): Column {
  const columns = Object.values(getTableColumns(column.table))
  const contains = (own?: Column & { baseColumn?: Column }): boolean =>
    !!own && (own === column || contains(own.baseColumn))
  return (columns.find(contains) ??
    columns.find(({ name }) => name === column.name)) as Column
}

function nameOf(column: Pick<Column, 'name' | 'table'>): string {
  return `${getTableName(column.table)}.${ownColumn(column).name}`
}

/**
 * Returns the engine of a column or a builder by Drizzle's `entityKind`, a name
 * that bundlers do not change.
 */
function engineOf(value: object): Engine {
  const kind = String(
    (value.constructor as { [entityKind]?: string })[entityKind],
  )
  const engine = ENGINES[kind.replace(/Custom.*/, '')]
  if (engine) return engine
  throw new TypeError(
    `expected customType of drizzle-orm/pg-core, mysql-core or sqlite-core, received ${kind}`,
  )
}

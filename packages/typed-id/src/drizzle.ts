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
import { checkParts, type Engine } from './column-check.ts'
import { typesOf } from './core/any-id.ts'
import { UUID_PATTERN } from './core/grammar.ts'
import type { IdSource } from './registry.ts'

export interface IdColumnData<Id extends string> {
  data: Id
  driverData: string | Uint8Array
}

const SQL_TYPES: Readonly<Record<Engine, Readonly<Record<IdStorage, string>>>> =
  {
    postgres: { text: 'text', uuid: 'uuid', bytes: 'bytea' },
    mysql: { text: '', uuid: 'uuid', bytes: 'binary(16)' },
    sqlite: { text: 'text', uuid: 'text', bytes: 'blob' },
  }

export interface IdColumnOptions {
  /** How the column stores ids, as in `idCodec`. `text` by default. */
  storage?: IdStorage
  /**
   * The SQL type of the column, such as a domain (`user_id`) or `char(41)`.
   * Pass the type of an existing column, or `drizzle-kit push` changes it.
   */
  sqlType?: string
}

/**
 * Returns a column type of Drizzle for the ids of a type or a registry. The
 * column checks and converts each id that Drizzle sends and reads. A column of
 * a registry stores text. `define` is the `customType` of
 * `drizzle-orm/pg-core`, `mysql-core` or `sqlite-core`.
 *
 * Drizzle converts only parameters that belong to a column: write
 * `sql.param(id, users.id)` in `sql`, and `idPlaceholder` instead of
 * `sql.placeholder`.
 *
 * @throws TypedIdError when a query or a row contains an invalid id, with the
 * name of the column.
 * @throws TypeError for an unknown storage, and if `define` is not a
 * `customType`. Queries throw for an array column that stores bytes, and for
 * `.default(id)` of a column that does not store text.
 * @example
 * const userId = idColumn(customType, UserId, 'uuid')
 * const users = pgTable('users', { id: userId().primaryKey().$defaultFn(UserId.generate), invitedBy: userId('invited_by') })
 */
export function idColumn<Id extends string>(
  define: typeof postgresType,
  type: IdSource<Id>,
  options?: IdStorage | IdColumnOptions,
): ReturnType<typeof postgresType<IdColumnData<Id>>>
export function idColumn<Id extends string>(
  define: typeof mysqlType,
  type: IdSource<Id>,
  options?: IdStorage | IdColumnOptions,
): ReturnType<typeof mysqlType<IdColumnData<Id>>>
export function idColumn<Id extends string>(
  define: typeof sqliteType,
  type: IdSource<Id>,
  options?: IdStorage | IdColumnOptions,
): ReturnType<typeof sqliteType<IdColumnData<Id>>>
export function idColumn(
  define: (params: never) => unknown,
  type: IdSource<string>,
  options: IdStorage | IdColumnOptions = {},
): unknown {
  const { storage = 'text', sqlType } =
    typeof options === 'string' ? { storage: options } : options
  const codecs = new WeakMap<Column, IdCodec<string, IdStorage>>()
  const types = typesOf(type)
  // Rejects an unknown storage before the first query.
  idCodec(type, storage, types.map(({ prefix }) => prefix).join(', '))

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
    toDriver(this: Column, id: unknown) {
      // The driver would store undefined as null, so undefined becomes an
      // invalid string, which `toDatabase` rejects.
      return codecOf(this).toDatabase(
        (id === undefined ? 'undefined' : id) as string,
      )
    },
    fromDriver(this: Column, value: unknown) {
      return codecOf(this).fromDatabase(value)
    },
  } as never) as () => object
  const length = Math.max(...types.map(({ example }) => example.length))
  const own = SQL_TYPES[engineOf(create())][storage]
  const columnType = sqlType || own || `varchar(${length})`
  return create
}

/**
 * Throws for an array column that stores bytes, which Drizzle would write as
 * text. Throws for an id as default, which drizzle-kit would not convert.
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
 * Returns a placeholder for a prepared statement. Drizzle converts the value of
 * the placeholder like a value of the column.
 *
 * @example
 * const query = db.select().from(users).where(eq(users.id, idPlaceholder(users.id, 'id'))).prepare('find')
 * query.execute({ id: UserId.example })
 */
export function idPlaceholder(column: Column, name: string): Param {
  return sql.param(sql.placeholder(name), column)
}

/**
 * Returns a condition for Drizzle's `check` that only ids of the type or the
 * registry satisfy, for a column of `idColumn` or of the SQL type `text`,
 * `varchar` or `char`.
 *
 * @throws TypeError for JSON, an array, or another SQL type, such as `uuid`,
 * `bytea` or `binary(16)`. TypedIdError `wrong_type` for a column of another id type.
 * @example
 * pgTable('users', { id: userId().primaryKey() }, (users) => [check('users_id', idCheck(UserId, users.id))])
 */
export function idCheck(
  type: IdSource<string>,
  column: Pick<Column, 'name' | 'table'>,
): SQL {
  const own = ownColumn(column)
  const rejectType = (kind: string): never => {
    throw new TypeError(
      `column ${nameOf(column)}: the type ${kind} takes no CHECK of ids`,
    )
  }
  if (/json|array/.test(own.dataType)) rejectType(own.dataType)
  const engine = engineOf(own)
  const types = typesOf(type)
  const [stored] = types.map(({ example }) => own.mapToDriverValue(example))
  const isText = stored === types[0]?.example
  const sqlType = own.getSQLType()
  const isNative = isText
    ? !(kindOf(own).includes('Custom') || /^\w*(text|char)\b/.test(sqlType))
    : engine !== 'sqlite'
  if (isNative) rejectType(sqlType)
  if (typeof stored !== 'string' && !isText)
    return sql`typeof(${column}) = 'blob' and length(${column}) = 16`
  const pattern = `^${UUID_PATTERN}$`
  const uuid = { prefix: '', pattern, example: `${stored}` }
  const parts = checkParts(isText ? types : [uuid], engine)
  return sql.join(parts.map(sql.raw), sql`${column}`)
}

/**
 * Returns the table's own column, which has conversions and a name. Drizzle
 * passes a copy without conversions in a PostgreSQL constraint, and a column
 * without a name for the elements of an array column.
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

function engineOf(value: object): Engine {
  const kind = kindOf(value)
  if (kind.startsWith('Pg')) return 'postgres'
  if (kind.startsWith('MySql')) return 'mysql'
  if (kind.startsWith('SQLite')) return 'sqlite'
  throw new TypeError(
    `expected customType of drizzle-orm/pg-core, mysql-core or sqlite-core, received ${kind}`,
  )
}

const kindOf = (value: object): string =>
  String((value.constructor as { [entityKind]?: string })[entityKind])

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
import { patternToGlob, postgresConditions } from './column-check.ts'
import type { AnyIdType } from './core/any-id.ts'
import { UUID_PATTERN } from './core/grammar.ts'
import type { IdDefinition } from './core/types.ts'

/** The types that Drizzle infers for a column of ids. */
export interface IdColumnData<Id extends string> {
  data: Id
  driverData: string | Uint8Array
}

type Engine = 'postgres' | 'mysql' | 'sqlite'

/** The engine of a Drizzle class, by the start of the class name. */
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
 * name of the column. TypeError for an unknown storage, for an array of bytes,
 * and for a function that is not the `customType` of one of the three.
 * @see https://orm.drizzle.team/docs/custom-types
 * @example
 * const userId = idColumn(customType, UserId, 'uuid')
 * const users = pgTable('users', { id: userId().primaryKey().$defaultFn(UserId.generate), invitedBy: userId('invited_by') })
 */
export function idColumn<Id extends string>(
  define: typeof postgresType,
  type: IdDefinition<string, Id>,
  storage?: IdStorage,
): ReturnType<typeof postgresType<IdColumnData<Id>>>
export function idColumn<Id extends string>(
  define: typeof mysqlType,
  type: IdDefinition<string, Id>,
  storage?: IdStorage,
): ReturnType<typeof mysqlType<IdColumnData<Id>>>
export function idColumn<Id extends string>(
  define: typeof sqliteType,
  type: IdDefinition<string, Id>,
  storage?: IdStorage,
): ReturnType<typeof sqliteType<IdColumnData<Id>>>
export function idColumn(
  define: (params: never) => unknown,
  type: AnyIdType,
  storage: IdStorage = 'text',
): unknown {
  const codecs = new WeakMap<Column, IdCodec<string, IdStorage>>()
  idCodec(type, storage, type.prefix) // throws for an unknown storage

  /**
   * Returns the conversions of a column. Their error messages contain the name
   * of the column.
   */
  function codecOf(column: Column): IdCodec<string, IdStorage> {
    const codec = codecs.get(column) ?? idCodec(type, storage, nameOf(column))
    codecs.set(column, codec)
    return codec
  }

  const params = {
    dataType: () =>
      sqlType === 'varchar' ? `varchar(${type.example.length})` : sqlType,
    // Drizzle calls both as methods of the column. Rejects undefined, which the
    // driver would send as null.
    toDriver(this: Column, id: unknown) {
      return codecOf(this).toDatabase(
        (id === undefined ? 'undefined' : id) as string,
      )
    },
    fromDriver(this: Column, value: unknown) {
      return codecOf(this).fromDatabase(value)
    },
  }
  const create = define(params as never) as (...args: unknown[]) => {
    default(value: unknown): unknown
    array: unknown
  }
  const engine = engineOf(create())
  const sqlType = SQL_TYPES[engine][storage]

  return (...args: unknown[]) => {
    const builder = create(...args)
    const setDefault = builder.default.bind(builder)
    // Drizzle and drizzle-kit write a default value as it is, so it has to be
    // the value that the column stores.
    builder.default = (value) =>
      setDefault(is(value, SQL) ? value : sql.raw(literalOf(value)))
    // Drizzle writes an array as text, in which a Buffer loses the bytes that
    // are not UTF-8.
    if (storage === 'bytes')
      builder.array = () => {
        throw new TypeError('an array of ids needs the storage text or uuid')
      }
    return builder
  }

  function literalOf(id: unknown): string {
    const stored = idCodec(
      type,
      storage,
      `with default ${type.prefix}`,
    ).toDatabase(id as string)
    if (typeof stored === 'string') return `'${stored}'`
    const digits = Array.from(stored, (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('')
    return engine === 'postgres' ? `'\\x${digits}'` : `x'${digits}'`
  }
}

/**
 * Returns a placeholder of a prepared statement that converts its value like
 * the column. Drizzle passes the value of a plain `sql.placeholder` in a
 * condition to the driver as it is, which finds nothing unless the storage is
 * `text`.
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
  // On PostgreSQL, the columns that a table passes to its constraints have no
  // conversions.
  const own = Object.values(getTableColumns(column.table)).find(
    ({ name }) => name === column.name,
  ) as Column
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
  const length = sql.raw(String(stored.length))
  if (engine === 'postgres') {
    const conditions = postgresConditions(type).map(
      (condition) => sql`${column} ${sql.raw(condition)}`,
    )
    return sql.join(conditions, sql` and `)
  }
  // (?-i), because most collations ignore case; the length, because $ also
  // matches before a final line break.
  if (engine === 'mysql')
    return sql`${column} regexp ${sql.raw(`'(?-i)${pattern}'`)} and length(${column}) = ${length}`
  return sql`${column} glob ${sql.raw(`'${patternToGlob(pattern)}'`)} and length(cast(${column} as blob)) = ${length}`
}

function nameOf(column: Pick<Column, 'name' | 'table'>): string {
  return `${getTableName(column.table)}.${column.name}`
}

/**
 * Returns the engine of a column or a builder by Drizzle's name of the class,
 * which no bundler changes.
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

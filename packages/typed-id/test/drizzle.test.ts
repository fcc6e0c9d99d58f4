import { type Column, eq, fillPlaceholders, sql } from 'drizzle-orm'
import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { idCheck, idColumn, idPlaceholder } from '../src/drizzle.ts'
import { defineId, type IdOf, idRegistry } from '../src/index.ts'

const UserId = defineId('user')
const TeamId = defineId('team')
const id = UserId.example
const uuid = UserId.toUuid(id)
const bytes = Buffer.from(UserId.toBytes(id))
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const CHECKS = {
  pg: /^"users"\."id" like 'user-_{8}-_{4}-_{4}-_{4}-_{12}' and "users"\."id" ~ '\^user-\[0-9a-f-\]\+\$' and .* not like '%-%-%-%-%-%-%'$/,
  mysql: `\`users\`.\`id\` regexp '(?-i)^user-${UUID}$' and length(\`users\`.\`id\`) = 41`,
  sqlite:
    /^"users"."id" glob 'user-(\[0-9a-f\]|-)+' and length\(cast\("users"."id" as blob\)\) = 41$/,
}
const NEEDS_NO_CHECK = /^column users\.id: the type .+ takes no CHECK of ids$/

type Pg = {
  customType: typeof pg.customType
  table: typeof pg.pgTable
  dialect: pg.PgDialect
}
const { MySqlDialect, mysqlTable } = mysql
const { SQLiteAsyncDialect, sqliteTable } = sqlite
const ENGINES = {
  pg: { ...pg, table: pg.pgTable, dialect: new pg.PgDialect() },
  mysql: { ...mysql, table: mysqlTable, dialect: new MySqlDialect() },
  sqlite: { ...sqlite, table: sqliteTable, dialect: new SQLiteAsyncDialect() },
} as unknown as Record<'pg' | 'mysql' | 'sqlite', Pg>

describe.each([
  ['pg', 'text', 'text', id, CHECKS.pg],
  ['pg', 'uuid', 'uuid', uuid, NEEDS_NO_CHECK],
  ['pg', 'bytes', 'bytea', bytes, NEEDS_NO_CHECK],
  ['mysql', 'text', 'varchar(41)', id, CHECKS.mysql],
  ['mysql', 'uuid', 'uuid', uuid, NEEDS_NO_CHECK],
  ['mysql', 'bytes', 'binary(16)', bytes, NEEDS_NO_CHECK],
  ['sqlite', 'text', 'text', id, CHECKS.sqlite],
  [
    'sqlite',
    'uuid',
    'text',
    uuid,
    /^"users"."id" glob '(\[0-9a-f\]|-)+' and length\(.+\) = 36$/,
  ],
  [
    'sqlite',
    'bytes',
    'blob',
    bytes,
    `typeof("users"."id") = 'blob' and length("users"."id") = 16`,
  ],
] as const)('%s, %s', (engine, storage, type, stored, check) => {
  const { customType, table, dialect } = ENGINES[engine]
  const userId = idColumn(customType, UserId, storage)
  const users = table('users', {
    id: userId(),
    other: userId().default(sql`now()`),
    team: userId().default(id),
  })

  test(`is a column ${type}`, () => {
    expect(users.id.getSQLType()).toBe(type)
  })

  test('converts an id in both directions', () => {
    expect(users.id.mapToDriverValue(id)).toEqual(stored)
    expect(users.id.mapFromDriverValue(stored)).toBe(id)
  })

  test('rejects an id of another type and undefined, with the name of the column', () => {
    expect(() => users.id.mapToDriverValue(TeamId.example)).toThrow(
      'wrong type: expected user in column users.id, received team',
    )
    expect(() => users.other.mapToDriverValue(undefined)).toThrow(
      'in column users.other, received "undefined"',
    )
  })

  test('is a column of the type that the option names', () => {
    const named = idColumn(customType, UserId, { storage, sqlType: 'user_id' })
    const { id: column } = table('users', { id: named() })
    expect(column.getSQLType()).toBe('user_id')
    expect(column.mapToDriverValue(id)).toEqual(stored)
  })

  test('a default id, which drizzle-kit writes as it is, throws unless it is stored as text', () => {
    const convert = () => users.team.mapToDriverValue(id)
    if (storage === 'text') expect(convert()).toBe(id)
    else
      expect(convert).toThrow(
        new TypeError(
          'column users.team: write the default as SQL, in the form that the column stores',
        ),
      )
    expect(users.other.mapToDriverValue(id)).toEqual(stored)
  })

  test('has a CHECK of its own type unless the type of the column checks the values', () => {
    expect(() => idCheck(TeamId, users.id)).toThrow(
      'expected user in column users.id, received team',
    )
    const compile = () => dialect.sqlToQuery(idCheck(UserId, users.id)).sql
    if (check === NEEDS_NO_CHECK) expect(compile).toThrow(check)
    else expect(compile()).toMatch(check)
  })

  test('a placeholder converts its value', () => {
    const { params } = dialect.sqlToQuery(
      eq(users.id, idPlaceholder(users.id, 'id')),
    )
    expect(params).toMatchObject([{ value: { name: 'id' }, encoder: users.id }])
    expect(fillPlaceholders(params, { id })).toEqual([stored])
    expect(fillPlaceholders(params, { id: null })).toEqual([null])
  })
})

test.each([
  ['pg', pg.text().array(), 'array'],
  ['sqlite', sqlite.text({ mode: 'json' }), 'json'],
] as const)(
  '%s: idCheck rejects a text column of %#',
  (engine, builder, dataType) => {
    const { id } = ENGINES[engine].table('users', { id: builder as never }) as {
      id: Column
    }
    expect(() => idCheck(UserId, id)).toThrow(
      `column users.id: the type ${dataType} takes no CHECK of ids`,
    )
  },
)

test.each([
  ['pg', 'text', pg.text(), true],
  ['pg', 'varchar(50)', pg.varchar({ length: 50 }), true],
  ['mysql', 'tinytext', mysql.tinytext(), true],
  ['sqlite', 'text', sqlite.text(), true],
  ['pg', 'uuid', pg.uuid(), false],
  ['mysql', 'binary(16)', mysql.binary({ length: 16 }), false],
  ['sqlite', 'integer', sqlite.integer(), false],
] as const)(
  '%s: a column %s has the CHECK of a column of ids, or takes none',
  (engine, type, builder, hasCheck) => {
    const { dialect, table } = ENGINES[engine]
    const { id: column } = table('users', { id: builder as never }) as {
      id: Column
    }
    expect(column.getSQLType()).toBe(type)
    const compile = () => dialect.sqlToQuery(idCheck(UserId, column)).sql
    if (hasCheck) expect(compile()).toMatch(CHECKS[engine])
    else
      expect(compile).toThrow(
        `column users.id: the type ${type} takes no CHECK of ids`,
      )
  },
)

test('the column of a registry stores ids of each type, with a CHECK of their prefixes', () => {
  const MemberId = defineId('member')
  const ids = idRegistry([UserId, MemberId, TeamId])
  const subject = idColumn(mysql.customType, ids)
  const { id: column } = mysql.mysqlTable('log', { id: subject() })
  type Subject = IdOf<typeof UserId | typeof MemberId | typeof TeamId>
  expectTypeOf<(typeof column)['_']['data']>().toEqualTypeOf<Subject>()
  expect(column.getSQLType()).toBe('varchar(43)')
  const { sql } = ENGINES.mysql.dialect.sqlToQuery(idCheck(ids, column))
  const parts = ids.types.map(
    ({ pattern, example }) =>
      `\`log\`.\`id\` regexp '(?-i)${pattern}' and length(\`log\`.\`id\`) = ${example.length}`,
  )
  expect(sql).toBe(`(${parts.join(' or ')})`)
  expect(() => idColumn(pg.customType, ids, 'uuid')).toThrow(
    'expected the storage text, received uuid',
  )
})

test('an array converts each id, and has the name or the key of its column, at any depth', () => {
  const userId = idColumn(pg.customType, UserId, 'uuid')
  const { ids, named, pairs } = pg.pgTable('users', {
    id: userId().primaryKey(),
    ids: userId().array(),
    named: userId('name').array(),
    pairs: userId().array().array(),
  })
  expect(ids.mapToDriverValue([id])).toBe(`{"${uuid}"}`)
  expect(ids.mapFromDriverValue([uuid])).toEqual([id])
  expect(() => named.mapToDriverValue([TeamId.example as never])).toThrow(
    'in column users.name, received team',
  )
  expect(pairs.mapToDriverValue([[id]])).toBe(`{{"${uuid}"}}`)
  expect(() => ids.mapFromDriverValue(['x'])).toThrow('in column users.ids,')
  expect(() => pairs.mapFromDriverValue([['x']] as never)).toThrow(
    'in column users.pairs,',
  )
})

test('an array of bytes throws: Drizzle would write each byte as a character', () => {
  const { ids } = pg.pgTable('users', {
    ids: idColumn(pg.customType, UserId, 'bytes')().array(),
  })
  const error = new TypeError(
    'column users.ids: an array of ids needs the storage text or uuid',
  )
  expect(() => ids.mapToDriverValue([id])).toThrow(error)
  expect(() => ids.mapFromDriverValue(['\\x00'] as never)).toThrow(error)
})

test('throws for an unknown storage, and for the function of another package', () => {
  expect(() => idColumn(pg.customType, UserId, 'binary' as never)).toThrow(
    'column user: expected the storage text or uuid or bytes, received binary',
  )
  expect(() => idColumn((() => () => ({})) as never, UserId)).toThrow(
    new TypeError(
      'expected customType of drizzle-orm/pg-core, mysql-core or sqlite-core, received undefined',
    ),
  )
})

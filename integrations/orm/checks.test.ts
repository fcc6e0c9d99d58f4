import { customType, MySqlDialect, mysqlTable } from 'drizzle-orm/mysql-core'
import {
  DummyDriver,
  Kysely,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
} from 'kysely'
import * as drizzle from 'typed-id/drizzle'
import * as kysely from 'typed-id/kysely'
import { expect, test } from 'vitest'
import { UserId } from '../ids.ts'

const compiler = new Kysely({
  dialect: {
    createAdapter: () => new MysqlAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new MysqlIntrospector(db),
    createQueryCompiler: () => new MysqlQueryCompiler(),
  },
})
const users = mysqlTable('users', {
  id: drizzle.idColumn(customType, UserId)(),
})
const CHECKS = {
  Kysely: kysely.idCheck(UserId, 'users.id', 'mysql').compile(compiler).sql,
  Drizzle: new MySqlDialect().sqlToQuery(drizzle.idCheck(UserId, users.id)).sql,
}

test('Kysely and Drizzle write the same CHECK for MySQL', () => {
  expect(CHECKS.Kysely).toBe(CHECKS.Drizzle)
})

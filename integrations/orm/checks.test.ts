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
import { SERVERS } from '../databases.ts'
import { ID_CASES, UserId } from '../ids.ts'

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

test('the CHECK rejects invalid ids on MariaDB, also in a column that ignores case', async () => {
  const server = await SERVERS.MariaDB.start()
  await server.run(
    `create table users (id varchar(80) collate utf8mb4_general_ci check (${CHECKS.Kysely.replaceAll('`users`.', '')}))`,
  )
  const { 'right id': right, ...wrong } = ID_CASES
  const insert = (id: string) =>
    server.run(`insert into users values ('${id}')`)
  await insert(right)
  for (const id of [
    ...Object.values(wrong),
    right.toUpperCase(),
    right.replace('user', 'USER'),
    `${right}\n`,
    `x${right}`,
  ])
    await expect(insert(id), id).rejects.toThrow('CONSTRAINT')
  await server.stop()
})

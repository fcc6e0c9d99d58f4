import { createHash } from 'node:crypto'
import {
  DummyDriver,
  Kysely,
  type Logger,
  PostgresDialect,
  SqliteDialect,
} from 'kysely'
import { emptyDatabaseForTest } from 'testkit/engines.ts'
import { expect, inject, test } from 'vitest'
import { PROFILES } from '../../src/app.ts'
import { UserId } from '../../src/ids.ts'
import { newUser, openForTest, serviceAt } from '../support/http-fixture.ts'
import {
  execute,
  releasedDatabase,
  rowsOf,
} from '../support/released-database.ts'

const engine = inject('engine') === 'postgres' ? 'postgres' : 'sqlite'
const { a, b } = PROFILES

test.for([
  ['0472bdeb25b19ebc', 'sqlite', a.migrations['0001-initial']],
  ['1e95db910b8e0300', 'postgres', a.migrations['0001-initial']],
  ['e95ca2255f66751d', 'sqlite', a.migrations['0002-normalized-email']],
  ['e5e2dbdb6e1325ae', 'postgres', a.migrations['0002-normalized-email']],
  ['404936deaba9395e', 'sqlite', b.migrations['0001-initial']],
] as const)(
  'a released migration executes the SQL with which it was released: %s on %s',
  async ([released, engine, { up }]) => {
    const Dialect = engine === 'sqlite' ? SqliteDialect : PostgresDialect
    const dialect = new Dialect({} as never)
    dialect.createDriver = () => new DummyDriver()
    const hash = createHash('sha256')
    const log: Logger = ({ query }) => void hash.update(query.sql)
    await up(new Kysely<unknown>({ dialect, log }), engine)
    expect(hash.digest('hex').slice(0, 16)).toBe(released)
  },
)

test('a database of 0001-initial keeps every row when it is upgraded', async () => {
  const url = await releasedDatabase(engine)
  const before = await rowsOf(url)
  await openForTest(url)
  const after = await rowsOf(url)
  for (const table of ['teams', 'roles', 'users', 'user_roles']) {
    expect(before[table], table).not.toEqual([])
    expect(after[table], table).toMatchObject(before[table] ?? [])
  }
})

test('an upgraded database rejects the e-mail address of an older user in any case, and what 0001 would store', async () => {
  const url = await releasedDatabase(engine)
  const service = await serviceAt(url)
  const user = newUser({ email: 'aDA@eXAMPLE.com' })
  expect((await service.post('/users', user)).status).toBe(400)
  const insert = `insert into users (id, email, name, password_hash) values ('${UserId.generate()}', 'someone@example.com', 'Ada', 'x')`
  await expect(execute(url, insert)).rejects.toThrow(
    /users_normalized_email_filled/,
  )
})

test('a database with a table of another program is migrated', async () => {
  const name = engine === 'postgres' ? engine : 'sqlite-file'
  const url = await emptyDatabaseForTest(name)
  await execute(url, 'create table others (id text)')
  const { get } = await serviceAt(url)
  expect(await get('/teams')).toMatchObject({ status: 200, json: [] })
})

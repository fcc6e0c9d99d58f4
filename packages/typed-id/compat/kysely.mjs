import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { defineId } from 'typed-id'
import { idPlugin } from 'typed-id/kysely'

const UserId = defineId('user')
const db = new Kysely({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  plugins: [idPlugin('uuid', { users: { id: UserId } })],
})
const { parameters } = db
  .selectFrom('users')
  .select(({ fn }) => fn.coalesce('id', 'id').as('id'))
  .where(({ eb, fn }) => eb(fn.coalesce('id', 'id'), '=', UserId.example))
  .compile()
const isConverted = parameters[0] === UserId.toUuid(UserId.example)
const failed = isConverted ? [] : [`sent ${parameters}`]
console.log(JSON.stringify({ passed: 1 - failed.length, failed }))

import { raw } from '@mikro-orm/postgresql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SERVERS, type Server } from '../../databases.ts'
import { TeamId, UserId } from '../ids.ts'
import { createTables } from '../tables.ts'
import { connect } from './store.ts'

const [ADA, BOB] = [UserId.generate(), UserId.generate()]

let server: Server
let mikro: Awaited<ReturnType<typeof connect>>
beforeAll(async () => {
  server = await SERVERS.PostgreSQL.start()
  await createTables(server, 'uuid')
  mikro = await connect(server, 'uuid')
})
afterAll(async () => {
  await mikro.orm.close()
  await server.stop()
})

test('converts values of properties and cursors, but not parameters of SQL: rejectIds throws for those', async () => {
  const { orm, User } = mikro
  const em = orm.em.fork()
  for (const id of [ADA, BOB]) em.create(User, { id, name: 'Ada' })
  await em.flush()
  await em.nativeUpdate(User, { id: BOB }, { name: 'Bob' })
  const page = { first: 1, orderBy: { id: 'asc' } } as const
  const { endCursor } = await em.findByCursor(User, page)
  const { items } = await orm.em.fork().findByCursor(User, { ...page, after: endCursor as string })
  expect(items).toMatchObject([{ id: BOB, name: 'Bob' }])

  await expect(em.find(User, { [raw('id = ?', [ADA])]: [] })).rejects.toThrow(
    `cannot convert ${ADA}: pass idCodec(…).toDatabase(id)`,
  )
  await expect(em.execute('delete from users where id = ?', [ADA])).rejects.toThrow(`cannot convert ${ADA}`)
  expect(await em.execute('select id from users order by id')).toEqual(
    [ADA, BOB].map((id) => ({ id: UserId.toUuid(id) })),
  )
  await expect(em.nativeDelete(User, { id: TeamId.generate() as never })).rejects.toThrow(
    'column users.id, received team',
  )
})

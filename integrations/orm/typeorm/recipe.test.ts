import { DataSource, Entity, VersionColumn } from 'typeorm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SERVERS, type Server } from '../../databases.ts'
import { TeamId, UserId } from '../ids.ts'
import { createTables } from '../tables.ts'
import { IdColumn } from './recipe.ts'
import { connect } from './store.ts'

const ADA = UserId.generate()

let server: Server
let typeorm: Awaited<ReturnType<typeof connect>>
beforeAll(async () => {
  server = await SERVERS.PostgreSQL.start()
  await createTables(server, 'uuid')
  typeorm = await connect(server, 'uuid')
})
afterAll(async () => {
  await typeorm.source.destroy()
  await server.stop()
})

test('converts values of columns, but not parameters of SQL: rejectIds throws for those', async () => {
  const users = typeorm.source.getRepository(typeorm.User)
  await users.save({ id: ADA, name: 'Ada' })
  await users.update({ id: ADA }, { name: 'Ada L.' })
  const query = users.createQueryBuilder('user')
  expect(await query.clone().where({ id: ADA }).getMany()).toMatchObject([{ id: ADA, name: 'Ada L.' }])
  await expect(query.clone().where('user.id = :id', { id: ADA }).getMany()).rejects.toThrow(
    `cannot convert ${ADA}: pass idCodec(…).toDatabase(id)`,
  )
  await expect(users.query('delete from users where id = $1', [ADA])).rejects.toThrow(`cannot convert ${ADA}`)
  expect(await query.select('user.id', 'id').getRawMany()).toEqual([{ id: UserId.toUuid(ADA) }])
  await expect(users.delete({ id: TeamId.generate() as never })).rejects.toThrow(
    'column users.id, received team',
  )
})

test('rejects a default unless the storage is text, because insert would return it unconverted', () => {
  const define = (storage: 'text' | 'uuid') => () =>
    IdColumn(TeamId, storage, 'users.team_id', { type: storage, default: () => 'new_id()' })
  expect(define('text')).not.toThrow()
  expect(define('uuid')).toThrow('column users.team_id: expected no default')
})

test('saves rows with a generated column on SQLite, where TypeORM converts their ids twice', async () => {
  @Entity('logins')
  class Login {
    @IdColumn(UserId, 'bytes', 'logins.id', { type: 'blob', primary: true })
    id!: UserId
    @VersionColumn()
    version!: number
  }
  const options = { type: 'better-sqlite3', database: ':memory:', synchronize: true } as const
  const source = await new DataSource({ ...options, entities: [Login] }).initialize()
  const logins = source.getRepository(Login)
  expect(await logins.save({ id: ADA })).toEqual({ id: ADA, version: 1 })
  expect(await logins.findBy({ id: ADA })).toEqual([{ id: ADA, version: 1 }])
  await source.destroy()
})

import { inspect } from 'node:util'
import { type IdStorage, idCodec } from 'typed-id/codec'
import { DataSource, Entity, VersionColumn } from 'typeorm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SERVERS, type Server } from '../databases.ts'
import { TeamId, UserId } from './ids.ts'
import { MIKRO } from './mikro-orm/positions.ts'
import * as mikroOrm from './mikro-orm/store.ts'
import { ADA, BOB, OTHER, type Position, TEAM } from './position.ts'
import { LACKS, TYPEORM, type TypeOrm } from './typeorm/positions.ts'
import { IdColumn } from './typeorm/recipe.ts'
import * as typeOrm from './typeorm/store.ts'

const STORED_AS = { text: 'text', uuid: 'uuid', bytes: 'bytea' } as const
const COLUMNS = [
  ['PostgreSQL', 'text', 'text'],
  ['PostgreSQL', 'uuid', 'uuid'],
  ['PostgreSQL', 'bytes', 'bytea'],
  ['SQLite', 'text', 'text'],
  ['SQLite', 'bytes', 'blob'],
] as const

const started: Partial<Record<'PostgreSQL' | 'SQLite', Server>> = {}
afterAll(() => Promise.all(Object.values(started).map((server) => server.stop())))

describe.each(COLUMNS)('%s, %s', (name, storage, type) => {
  const { engine, start } = SERVERS[name === 'SQLite' ? name : 'PostgreSQL of npm']
  let server: Server
  const codec = idCodec(UserId, storage, 'users.id')
  const { toDatabase: storeTeam } = idCodec(TeamId, storage, 'teams.id')
  let typeorm: Awaited<ReturnType<typeof typeOrm.connect>>
  let mikro: Awaited<ReturnType<typeof mikroOrm.connect>>
  beforeAll(async () => {
    started[name] ??= await start()
    server = started[name]
    await server.run(
      'drop table if exists users',
      'drop table if exists teams',
      `create table teams (id ${type} primary key, name text not null)`,
      `create table users (id ${type} primary key, name text not null, team_id ${type} references teams)`,
    )
    typeorm = await typeOrm.connect(server, storage)
    mikro = await mikroOrm.connect(server, storage)
    return async () => {
      await Promise.all([typeorm.source.destroy(), mikro.orm.close()])
    }
  })
  beforeEach(async () => {
    const literal = (value: string | Uint8Array) =>
      typeof value === 'string'
        ? `'${value}'`
        : `${engine === 'sqlite' ? `x'` : `'\\x`}${Buffer.from(value).toString('hex')}'`
    const [team, other, ada, bob] = [
      ...[TEAM, OTHER].map((id) => literal(storeTeam(id))),
      ...[ADA, BOB].map((id) => literal(codec.toDatabase(id))),
    ]
    await server.run(
      'delete from users',
      'delete from teams',
      `insert into teams values (${team}, 'Engine'), (${other}, 'Difference')`,
      `insert into users values (${ada}, 'Ada', ${team}), (${bob}, 'Bob', null)`,
    )
  })

  async function expectOutcome<C>([position, kind, run, expected]: Position<C>, context: C) {
    const found = await new Promise((resolve) => resolve(run(context))).then(
      (result) => ({ result }),
      (error) => ({ error: inspect(error, { depth: 9 }) }),
    )
    const throws = (message: RegExp) => expect(found).toEqual({ error: expect.stringMatching(message) })
    const lacking = engine === 'sqlite' ? LACKS[position] : undefined
    if (lacking) throws(lacking)
    else if (kind === 'list') throws(/not a string: expected user.* in column users\.id/)
    else if (kind === 'wrong')
      throws(/expected (user|team) in column (users|teams)\.\w+, received (team|user) /)
    else if (storage === 'text' && kind === 'untyped') expect(found).toEqual({ result: [] })
    else if (storage === 'text' || kind === 'right') expect(found).toEqual({ result: expected })
    else if (kind === 'parameter' || kind === 'untyped')
      throws(/cannot convert (user|team)[-_].*: pass idCodec\(…\)\.toDatabase\(id\)/)
    else if (kind === 'reused')
      throws(/(malformed standard|not a string): expected user.* in column users\.id/)
    else if (kind === 'row') expect(found).toEqual({ result: (expected as UserId[]).map(codec.toDatabase) })
    // `unchecked` with bytes finds nothing, because the database compares the characters of the id with bytes.
    else if (storage === 'bytes') expect(found).toEqual({ result: [] })
    else throws(/invalid input syntax for type uuid/)
  }

  test.each(TYPEORM.map((position) => [position[0], position] as const))('TypeORM: %s', (_, position) => {
    const { source, User } = typeorm
    const users: TypeOrm['users'] = source.getRepository(User)
    return expectOutcome(position, { engine, source, users, ...(codec as object) } as TypeOrm)
  })

  test.each(MIKRO.map((position) => [position[0], position] as const))('MikroORM: %s', (_, position) => {
    const { orm, User, Team } = mikro
    return expectOutcome(position, { em: orm.em.fork(), User, Team, storage, ...codec } as never)
  })
})

test('IdColumn rejects a default, which insert and upsert of TypeORM return as stored', () => {
  const define = (storage: IdStorage) => () =>
    IdColumn(TeamId, storage, 'users.team_id', { type: STORED_AS[storage], default: () => 'new_id()' })
  expect(define('text')).not.toThrow()
  for (const storage of ['uuid', 'bytes'] as const)
    expect(define(storage)).toThrow('column users.team_id: expected no default')
})

test('TypeORM saves rows with a generated column on SQLite, where it converts their ids twice', async () => {
  @Entity('logins')
  class Login {
    @IdColumn(UserId, 'bytes', 'logins.id', { type: 'blob', primary: true })
    id!: UserId
    @VersionColumn()
    version!: number
  }
  const options = {
    type: 'better-sqlite3',
    database: ':memory:',
    entities: [Login],
    synchronize: true,
  } as const
  const source = await new DataSource({ ...options, entities: [Login] }).initialize()
  const logins = source.getRepository(Login)
  expect(await logins.save({ id: ADA })).toEqual({ id: ADA, version: 1 })
  expect(await logins.findBy({ id: ADA })).toEqual([{ id: ADA, version: 1 }])
  await source.query("insert into logins values ('team-1', 1)")
  await expect(logins.find()).rejects.toThrow('expected Uint8Array(16) in column logins.id')
  await source.destroy()
})

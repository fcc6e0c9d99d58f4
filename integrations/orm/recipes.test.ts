import pg from 'pg'
import { startPostgres } from 'testkit/postgres.ts'
import { defineId } from 'typed-id'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const UserId = defineId('user')
const TeamId = defineId('team')

const TEAM = '0190163d-8694-739b-aea5-966c26f8ad91'
const ADA = '550e8400-e29b-41d4-a716-446655440000'

let client: pg.Client
beforeAll(async () => {
  const server = await startPostgres()
  process.env.DATABASE_URL = server.url
  client = new pg.Client(server.url)
  await client.connect()
  return async () => {
    await client.end()
    await server.stop()
  }
})

describe.each(['drizzle', 'kysely', 'prisma', 'typeorm', 'mikro-orm'])(
  'the recipe for %s',
  (folder) => {
    // biome-ignore lint/suspicious/noExplicitAny: the types of the recipes differ.
    let recipe: any
    beforeAll(async () => {
      await client.query(
        `drop table if exists users, teams;
        create table teams (id uuid primary key, name text not null);
        create table users (id uuid primary key, name text not null, team_id uuid references teams);
        insert into teams values ('${TEAM}', 'Engine');
        insert into users values ('${ADA}', 'Ada', '${TEAM}')`,
      )
      recipe = await import(`./${folder}/recipe.ts`)
      await recipe.db.initialize?.()
    })
    afterAll(async () => {
      const { db } = recipe
      await (db.$client?.end() ??
        db.destroy?.() ??
        db.close?.() ??
        db.$disconnect?.())
    })

    test('reads the rows of a table in use, and stores new ids as bare UUIDs', async () => {
      const id = UserId.fromUuid(ADA)
      expect(await recipe.findUser(id)).toMatchObject({ id, name: 'Ada' })
      expect(await recipe.findUser(UserId.generate())).toBeFalsy()
      const bob = await recipe.createUser('Bob', TeamId.fromUuid(TEAM))
      const uuid = UserId.toUuid(UserId.parse(bob.id))
      const { rows } = await client.query(
        `select id, team_id from users where name = 'Bob'`,
      )
      expect(rows).toEqual([{ id: uuid, team_id: TEAM }])
    })

    test('rejects the id of another type, with the name of the column', async () => {
      const column = /in column (users|User)\.(id|team_?id)/i
      const find = async () => recipe.findUser(TeamId.example)
      await expect(find).rejects.toThrow(column)
      const create = async () => recipe.createUser('Eve', UserId.example)
      await expect(create).rejects.toThrow(column)
      const stored = `select from users where name = 'Eve'`
      expect((await client.query(stored)).rowCount).toBe(0)
    })
  },
)

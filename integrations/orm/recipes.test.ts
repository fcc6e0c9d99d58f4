import pg from 'pg'
import { startPostgres } from 'testkit/postgres.ts'
import { defineId } from 'typed-id'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Recipe {
  createUser(
    name: string,
    teamId: string | null,
  ): Promise<{ id: string; name: string } | undefined>
  findUser(id: string): Promise<{ id: string; name: string } | null | undefined>
  readonly db: object
}

const UserId = defineId('user')
const TeamId = defineId('team')

/**
 * UUIDs of versions 7 and 4 that an application stored before it used typed
 * ids.
 */
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
    let recipe: Recipe
    beforeAll(async () => {
      await client.query('drop table if exists users, teams')
      await client.query(
        `create table teams (id uuid primary key, name text not null)`,
      )
      await client.query(
        `create table users (id uuid primary key, name text not null, team_id uuid references teams)`,
      )
      await client.query(`insert into teams values ('${TEAM}', 'Engine')`)
      await client.query(
        `insert into users values ('${ADA}', 'Ada', '${TEAM}')`,
      )
      recipe = await import(`./${folder}/recipe.ts`)
      await (recipe.db as { initialize?(): Promise<unknown> }).initialize?.()
    })
    afterAll(() => close(recipe.db))

    test('reads the rows of a table in use, and stores new ids as bare UUIDs', async () => {
      expect(await recipe.findUser(UserId.fromUuid(ADA))).toMatchObject({
        id: UserId.fromUuid(ADA),
        name: 'Ada',
      })
      expect(await recipe.findUser(UserId.generate())).toBeFalsy()
      const bob = await recipe.createUser('Bob', TeamId.fromUuid(TEAM))
      expect(UserId.is(bob?.id)).toBe(true)
      const { rows } = await client.query(
        `select id, team_id from users where name = 'Bob'`,
      )
      expect(rows).toEqual([
        { id: UserId.toUuid(UserId.parse(bob?.id)), team_id: TEAM },
      ])
    })

    test('rejects the id of another type, with the name of the column', async () => {
      const column = /in column (users|User)\.(id|team_?id)/i
      await expect(async () => recipe.findUser(TeamId.example)).rejects.toThrow(
        column,
      )
      await expect(async () =>
        recipe.createUser('Eve', UserId.example),
      ).rejects.toThrow(column)
      expect(
        (await client.query(`select from users where name = 'Eve'`)).rowCount,
      ).toBe(0)
    })
  },
)

async function close(
  db: Partial<
    Record<'destroy' | 'close' | '$disconnect', () => Promise<void>>
  > & { $client?: pg.Pool },
) {
  await (db.$client
    ? db.$client.end()
    : (db.destroy?.() ?? db.close?.() ?? db.$disconnect?.()))
}

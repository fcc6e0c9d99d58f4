import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { defineId, type IdOf } from 'typed-id'
import { idPlugin } from 'typed-id/kysely'

export const UserId = defineId('user')
export type UserId = IdOf<typeof UserId>
export const TeamId = defineId('team')
export type TeamId = IdOf<typeof TeamId>

interface Tables {
  teams: { id: TeamId; name: string }
  users: { id: UserId; name: string; team_id: TeamId | null }
}

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })

/** The columns have the type `uuid`. The plugin converts them. */
export const db = new Kysely<Tables>({
  dialect: new PostgresDialect({ pool }),
  plugins: [
    idPlugin('uuid', {
      teams: { id: TeamId },
      users: { id: UserId, team_id: TeamId },
    }),
  ],
})

export const createUser = (name: string, team_id: TeamId | null) =>
  db
    .insertInto('users')
    .values({ id: UserId.generate(), name, team_id })
    .returningAll()
    .executeTakeFirstOrThrow()

export const findUser = (id: UserId) =>
  db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()

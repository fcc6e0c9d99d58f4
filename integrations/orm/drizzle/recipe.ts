import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { customType, pgTable, text } from 'drizzle-orm/pg-core'
import { defineId, type IdOf } from 'typed-id'
import { idColumn } from 'typed-id/drizzle'

export const UserId = defineId('user')
export type UserId = IdOf<typeof UserId>
export const TeamId = defineId('team')
export type TeamId = IdOf<typeof TeamId>

/** Columns of the type `uuid`, whose values are typed ids. */
const userId = idColumn(customType, UserId, 'uuid')
const teamId = idColumn(customType, TeamId, 'uuid')

export const teams = pgTable('teams', {
  id: teamId().primaryKey().$defaultFn(TeamId.generate),
  name: text().notNull(),
})

export const users = pgTable('users', {
  id: userId().primaryKey().$defaultFn(UserId.generate),
  name: text().notNull(),
  teamId: teamId('team_id').references(() => teams.id),
})

export const db = drizzle(process.env.DATABASE_URL ?? '')

export async function createUser(name: string, teamId: TeamId | null) {
  const [user] = await db
    .insert(users)
    .values({ name, teamId })
    .returning()
  return user
}

export async function findUser(id: UserId) {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  return user
}

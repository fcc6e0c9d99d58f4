import { eq } from 'drizzle-orm'
import { TeamId, UserId } from '../ids.ts'
import { defineTables } from './postgres.ts'

const { users } = defineTables('uuid')

// @ts-expect-error: a team is not a user
export const condition = () => eq(users.id, TeamId.example)
export const row: typeof users.$inferInsert = {
  id: UserId.example,
  name: 'Ada',
  // @ts-expect-error: a user is not a team
  teamId: UserId.example,
}
// @ts-expect-error: a string has to be parsed first
export const text: (typeof users.$inferSelect)['id'] = 'user-1'

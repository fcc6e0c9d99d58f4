import type { Kysely } from 'kysely'
import { TeamId, UserId } from '../ids.ts'
import type { Tables } from './store.ts'

export function wrongTypes(db: Kysely<Tables>) {
  // @ts-expect-error: a team is not a user
  db.selectFrom('users').where('id', '=', TeamId.example)
  // @ts-expect-error: a user is not a team
  db.insertInto('users').values({ id: UserId.example, name: 'Ada', team_id: UserId.example })
  // @ts-expect-error: a string has to be parsed first
  db.updateTable('users').set({ team_id: 'team-1' })
}

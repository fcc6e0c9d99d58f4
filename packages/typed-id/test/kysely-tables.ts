import { defineId, type IdOf } from '../src/index.ts'
import type { IdColumn } from '../src/kysely.ts'
import { defineTypeId } from '../src/typeid.ts'

export const UserId = defineId('user')
export type UserId = IdOf<typeof UserId>
export const TeamId = defineTypeId('work_team')
export type TeamId = IdOf<typeof TeamId>

interface Users {
  id: IdColumn<typeof UserId>
  name: string
  team_id: TeamId | null
}
export interface Tables {
  users: Users
  'app_auth.users': Users
  teams: { id: IdColumn<typeof TeamId>; name: string }
  notes: { id: number; text: string }
  other: { x: string; id: string }
  more: { x: string }
}

export const COLUMNS = {
  users: { id: UserId, team_id: TeamId },
  'app_auth.users': { id: UserId },
  teams: { id: TeamId },
  notes: { text: null },
}
export const ada = UserId.generate()
export const engine = TeamId.generate()
export const ADA = { id: ada, name: 'Ada', team_id: engine }

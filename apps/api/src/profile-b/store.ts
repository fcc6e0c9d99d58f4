import type { Kysely } from 'kysely'
import { TeamId, UserId } from '../ids.ts'
import { type PageRequest, pageOf } from '../page.ts'

export interface Tables {
  teams: { id: TeamId; name: string }
  users: { id: UserId; name: string; email: string; team_id: TeamId | null }
}

export async function createTeam(
  db: Kysely<Tables>,
  { name }: { name: string },
) {
  const team = { id: TeamId.generate(), name }
  await db.insertInto('teams').values(team).execute()
  return { ...team, member_ids: [] as UserId[] }
}

export async function findTeam(db: Kysely<Tables>, id: TeamId) {
  const team = await db
    .selectFrom('teams')
    .select(['id', 'name'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (team === undefined) return undefined
  const members = await db
    .selectFrom('users')
    .select('id')
    .where('team_id', '=', id)
    .orderBy('id')
    .execute()
  return { ...team, member_ids: members.map((member) => member.id) }
}

export async function createUser(
  db: Kysely<Tables>,
  { name, email, team_id }: Omit<Tables['users'], 'id'>,
) {
  const user = { id: UserId.generate(), name, email, team_id }
  await db.insertInto('users').values(user).execute()
  return user
}

const users = (db: Kysely<Tables>) =>
  db.selectFrom('users').select(['id', 'name', 'email', 'team_id'])

export const findUser = (db: Kysely<Tables>, id: UserId) =>
  users(db).where('id', '=', id).executeTakeFirst()

export async function listUsers(
  db: Kysely<Tables>,
  { after, limit }: PageRequest<UserId>,
) {
  const rows = await users(db)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return pageOf(rows, limit)
}

export async function deleteUser(
  db: Kysely<Tables>,
  id: UserId,
): Promise<boolean> {
  const deleted = await db
    .deleteFrom('users')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

export async function storeDemo(db: Kysely<Tables>): Promise<boolean> {
  const team_id = TeamId.example
  await db
    .insertInto('teams')
    .values({ id: team_id, name: 'Engineering' })
    .execute()
  const user = {
    id: UserId.example,
    name: 'Ada',
    email: 'ada@example.com',
    team_id,
  }
  await db.insertInto('users').values(user).execute()
  return true
}

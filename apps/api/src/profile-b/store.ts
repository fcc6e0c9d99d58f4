import type { Kysely } from 'kysely'
import type { Db } from '../database/database.ts'
import { andThen, type MaybePromise } from '../database/maybe-promise.ts'
import { queriesOn } from '../database/query.ts'
import { TeamId, UserId } from '../ids.ts'

interface Tables {
  teams: { id: TeamId; name: string }
  users: { id: UserId; name: string; email: string; team_id: TeamId | null }
}

const query = queriesOn<Tables>()

const insertTeam = query((db, p: { id: TeamId; name: string }) =>
  db.insertInto('teams').values({ id: p.id, name: p.name }),
)

const selectTeam = query(
  (db, p: { id: TeamId }) => db.selectFrom('teams').select(['id', 'name']).where('id', '=', p.id),
  { key: 'id' },
)

const selectMembers = query((db, p: { team_id: TeamId }) =>
  db.selectFrom('users').select('id').where('team_id', '=', p.team_id).orderBy('id'),
)

/** Returns the team and its current members in creation order, which is the order of their ids. */
export async function findTeam(db: Db, id: TeamId) {
  const [team] = await selectTeam(db, { id })
  if (team === undefined) return undefined
  const members = await selectMembers(db, { team_id: id })
  return { ...team, member_ids: members.map((member) => member.id) }
}

export function createTeam(db: Db, input: { name: string }) {
  const team = { id: TeamId.generate(), name: input.name }
  return andThen(insertTeam(db, team), () => ({ ...team, member_ids: [] as UserId[] }))
}

const insertUser = query((db, p: { id: UserId; name: string; email: string; team_id: TeamId | null }) =>
  db.insertInto('users').values({ id: p.id, name: p.name, email: p.email, team_id: p.team_id }),
)

const removeUser = query((db, p: { id: UserId }) =>
  db.deleteFrom('users').where('id', '=', p.id).returning('id'),
)

const users = (db: Kysely<Tables>) => db.selectFrom('users').select(['id', 'name', 'email', 'team_id'])

const selectUser = query((db, p: { id: UserId }) => users(db).where('id', '=', p.id), { key: 'id' })

/** Users in creation order, which is the order of their ids. '' sorts before the first id. */
export const listUsers = query((db, p: { after: UserId | ''; limit: number }) =>
  users(db)
    // biome-ignore lint/plugin: '' is not in the type of the column.
    .where('id', '>', p.after as UserId)
    .orderBy('id')
    .limit(p.limit),
)

export async function findUser(db: Db, id: UserId) {
  const [user] = await selectUser(db, { id })
  return user
}

/** Throws a ConstraintError `users_team_id_fkey` when the team does not exist. */
export function createUser(db: Db, input: { name: string; email: string; team_id: TeamId | null }) {
  const user = { id: UserId.generate(), name: input.name, email: input.email, team_id: input.team_id }
  return andThen(insertUser(db, user), () => user)
}

/** Deletes a user. Returns false when the user does not exist. */
export const deleteUser = (db: Db, id: UserId): MaybePromise<boolean> =>
  andThen(removeUser(db, { id }), (rows) => rows.length > 0)

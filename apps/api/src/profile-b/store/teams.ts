import type { Db } from '../../database/database.ts'
import { TeamId, type UserId } from '../../ids.ts'
import { andThen } from '../../maybe-promise.ts'
import { query } from './schema.ts'

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

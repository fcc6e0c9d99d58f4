import type { Db } from '../../database/database.ts'
import { andThen } from '../../database/maybe-promise.ts'
import { TeamId } from '../../ids.ts'
import { query } from './schema.ts'

const insertTeam = query((db, p: { id: TeamId; name: string }) =>
  db.insertInto('teams').values({ id: p.id, name: p.name }),
)

const selectTeam = query(
  (db, p: { id: TeamId }) => db.selectFrom('teams').select(['id', 'name']).where('id', '=', p.id),
  { key: 'id' },
)

/** Teams in creation order, which is the order of their ids. '' sorts before the first id. */
export const listTeams = query((db, p: { after: TeamId | ''; limit: number }) =>
  db
    .selectFrom('teams')
    .select(['id', 'name'])
    // biome-ignore lint/plugin: '' is not in the type of the column.
    .where('id', '>', p.after as TeamId)
    .orderBy('id')
    .limit(p.limit),
)

export const findTeam = (db: Db, id: TeamId) => andThen(selectTeam(db, { id }), ([team]) => team)

export function createTeam(db: Db, input: { name: string }) {
  const team = { id: TeamId.generate(), name: input.name }
  return andThen(insertTeam(db, team), () => team)
}

import type { Kysely } from 'kysely'
import { compiled, compiledForKeys } from '../../database/compiled.ts'
import { pageOf } from '../../database/page.ts'
import { TeamId } from '../../ids.ts'
import type { Tables } from './tables.ts'

const insertTeam = compiled((db: Kysely<Tables>, id: TeamId, name: string) =>
  db.insertInto('teams').values({ id, name }),
)

const selectTeams = compiledForKeys(
  (db: Kysely<Tables>, ids: readonly TeamId[]) =>
    db.selectFrom('teams').select(['id', 'name']).where('id', 'in', ids),
)

const selectPage = compiled(
  (db: Kysely<Tables>, after: TeamId | '', limit: number) =>
    db
      .selectFrom('teams')
      .select(['id', 'name'])
      // biome-ignore lint/plugin: '' is not in the type of the column.
      .where('id', '>', after as TeamId)
      .orderBy('id')
      .limit(limit),
)

export async function createTeam(
  db: Kysely<Tables>,
  { name }: { name: string },
) {
  const team = { id: TeamId.generate(), name }
  await insertTeam(db, team.id, team.name)
  return team
}

/** Returns the teams of the ids that exist, in any order. */
export const findTeams = selectTeams

/**
 * Teams in creation order, which is the order of their ids. '' sorts before the
 * first id.
 */
export async function listTeams(
  db: Kysely<Tables>,
  { after, limit }: { after: TeamId | ''; limit: number },
) {
  return pageOf(await selectPage(db, after, limit + 1), limit)
}

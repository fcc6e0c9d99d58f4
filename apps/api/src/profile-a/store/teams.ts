import type { Expression, Kysely } from 'kysely'
import { compiled } from '../../database/compiled.ts'
import { TeamId } from '../../ids.ts'
import { type Page, type PageRequest, pageOf } from '../../page.ts'
import { loadById } from './load-by-id.ts'
import type { Tables } from './tables.ts'

export type Team = Tables['teams']
export type TeamStore = ReturnType<typeof createTeamStore>

export function createTeamStore(db: Kysely<Tables>) {
  const insert = compiled<[TeamId, string], unknown>(db, (id, name) =>
    db.insertInto('teams').values({ id, name }),
  )

  const selectPage = compiled(
    db,
    (after: Expression<TeamId>, limit: Expression<number>) =>
      db
        .selectFrom('teams')
        .select(['id', 'name'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit),
  )

  return {
    async create({ name }: { name: string }): Promise<Team> {
      const team = { id: TeamId.generate(), name }
      await insert(team.id, team.name)
      return team
    },

    find: loadById(
      db,
      (ids: readonly Expression<TeamId>[]) =>
        db.selectFrom('teams').select(['id', 'name']).where('id', 'in', ids),
      (rows) => rows,
    ),

    async list(page: PageRequest<TeamId>): Promise<Page<Team>> {
      const rows = await selectPage(page.after, page.limit + 1)
      return pageOf(rows, page.limit)
    },
  }
}

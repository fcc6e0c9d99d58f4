import type { Kysely } from 'kysely'
import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import { listRoute } from '../http/list.ts'
import { type Route, route } from '../http/route.ts'
import { TeamId } from '../ids.ts'
import { ERRORS, TeamCreate, TeamResponse } from './schemas.ts'
import type { Loaders } from './store/loaders.ts'
import type { Tables } from './store/tables.ts'
import { createTeam, listTeams } from './store/teams.ts'

export const teamRoutes = (db: Kysely<Tables>, loaders: Loaders): Route[] => [
  route(
    {
      method: 'post',
      path: '/teams',
      id: 'createTeam',
      tag: 'teams',
      summary: 'Create a team',
      body: TeamCreate,
      success: {
        status: 201,
        description: 'The new team',
        body: TeamResponse,
        location: ({ id }) => `teams/${id}`,
      },
    },
    ({ body }) => createTeam(db, body),
  ),

  route(
    {
      method: 'get',
      path: '/teams/{team_id}',
      id: 'getTeam',
      tag: 'teams',
      summary: 'Read a team',
      params: z.object({ team_id: idSchema(TeamId) }),
      success: { status: 200, description: 'The team', body: TeamResponse },
      errors: [ERRORS.team_not_found],
    },
    async ({ params }) =>
      (await loaders.teams.load(params.team_id)) ?? ERRORS.team_not_found,
  ),

  listRoute(
    {
      path: '/teams',
      id: 'listTeams',
      tag: 'teams',
      summary: 'List teams in creation order',
      item: TeamResponse,
      after: TeamId,
    },
    async () => (page) => listTeams(db, page),
  ),
]

import { Hono } from 'hono'
import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import { created, endpoint } from '../http/endpoint.ts'
import { fail } from '../http/failures.ts'
import { list } from '../http/list.ts'
import { TeamId } from '../ids.ts'
import { ERRORS, TeamCreate, TeamResponse } from './schemas.ts'
import type { TeamStore } from './store/teams.ts'

export const teams = (store: TeamStore) =>
  new Hono()
    .post(
      '/teams',
      endpoint(
        {
          id: 'createTeam',
          tag: 'teams',
          summary: 'Create a team',
          json: TeamCreate,
          success: {
            status: 201,
            description: 'The new team',
            body: TeamResponse,
            headers: { Location: `teams/${TeamId.example}` },
          },
        },
        async (c) => {
          const team = await store.create(c.req.valid('json'))
          return created(team, `teams/${team.id}`)
        },
      ),
    )
    .get(
      '/teams/:team_id',
      endpoint(
        {
          id: 'getTeam',
          tag: 'teams',
          summary: 'Read a team',
          param: z.object({ team_id: idSchema(TeamId) }),
          success: { status: 200, description: 'The team', body: TeamResponse },
          errors: [ERRORS.team_not_found],
        },
        async (c) => {
          const team = await store.find(c.req.valid('param').team_id)
          return team ? c.json(team, 200) : fail(c, ERRORS.team_not_found)
        },
      ),
    )
    .get(
      '/teams',
      list(
        {
          id: 'listTeams',
          tag: 'teams',
          summary: 'List teams in creation order',
          item: TeamResponse,
          after: TeamId,
        },
        (_, page) => store.list(page),
      ),
    )

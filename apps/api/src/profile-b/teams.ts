import { Hono } from 'hono'
import type { Kysely } from 'kysely'
import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import { endpoint } from '../http/endpoint.ts'
import { fail } from '../http/failures.ts'
import { TeamId } from '../ids.ts'
import { ERRORS, TeamCreate, TeamResponse } from './schemas.ts'
import { createTeam, findTeam, type Tables } from './store.ts'

export const teams = (db: Kysely<Tables>) =>
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
            status: 200,
            description: 'The new team',
            body: TeamResponse,
          },
        },
        async (c) => c.json(await createTeam(db, c.req.valid('json')), 200),
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
          const team = await findTeam(db, c.req.valid('param').team_id)
          return team ? c.json(team, 200) : fail(c, ERRORS.team_not_found)
        },
      ),
    )

import { Hono } from 'hono'
import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import { onConstraint } from '../database/driver-errors.ts'
import { created, endpoint } from '../http/endpoint.ts'
import { fail } from '../http/failures.ts'
import { list } from '../http/list.ts'
import { RoleId, TeamId, UserId } from '../ids.ts'
import type { PasswordHasher } from './passwords.ts'
import { ERRORS, UserCreate, UserResponse, UserUpdate } from './schemas.ts'
import type { TeamStore } from './store/teams.ts'
import type { UserStore } from './store/users.ts'

const user_id = idSchema(UserId)

export const users = (
  store: UserStore,
  teams: TeamStore,
  passwords: PasswordHasher,
) =>
  new Hono()
    .post(
      '/users',
      endpoint(
        {
          id: 'createUser',
          tag: 'users',
          summary: 'Register a user',
          json: UserCreate,
          success: {
            status: 201,
            description: 'The new user',
            body: UserResponse,
            headers: { Location: `users/${UserId.example}` },
          },
          errors: [ERRORS.email_taken, ERRORS.team_not_found],
        },
        async (c) => {
          const { password, email, name, team_id } = c.req.valid('json')
          const password_hash = await passwords.hash(password)
          try {
            const row = { email, name, team_id, password_hash }
            const id = await store.create(row)
            const team = team_id && ((await teams.find(team_id)) ?? null)
            const user = { id, email, name, team, roles: [] }
            return created(user, `users/${id}`)
          } catch (error) {
            const failure = onConstraint(error, {
              users_normalized_email_key: ERRORS.email_taken,
              users_team_id_fkey: ERRORS.team_not_found,
            })
            return fail(c, failure)
          }
        },
      ),
    )
    .get(
      '/users',
      list(
        {
          id: 'listUsers',
          tag: 'users',
          summary: 'List users in creation order, optionally of one team',
          query: z.object({ team_id: idSchema(TeamId).optional() }),
          item: UserResponse,
          after: UserId,
        },
        (c, page) => store.list(page, c.req.valid('query').team_id),
      ),
    )
    .post(
      '/users/:user_id/roles/:role_id',
      endpoint(
        {
          id: 'assignRole',
          tag: 'users',
          summary: 'Assign a role to a user',
          description:
            'Assigning a role that the user already has succeeds and changes nothing.',
          param: z.object({ user_id, role_id: idSchema(RoleId) }),
          success: {
            status: 200,
            description: 'The user with its roles',
            body: UserResponse,
          },
          errors: [ERRORS.user_not_found, ERRORS.role_not_found],
        },
        async (c) => {
          const { user_id, role_id } = c.req.valid('param')
          const failure = await store
            .assignRole(user_id, role_id)
            .catch((error) =>
              onConstraint(error, {
                user_roles_user_id_fkey: ERRORS.user_not_found,
                user_roles_role_id_fkey: ERRORS.role_not_found,
              }),
            )
          const user = failure ? undefined : await store.find(user_id)
          return user
            ? c.json(user, 200)
            : fail(c, failure ?? ERRORS.user_not_found)
        },
      ),
    )
    .get(
      '/users/:user_id',
      endpoint(
        {
          id: 'getUser',
          tag: 'users',
          summary: 'Read a user',
          param: z.object({ user_id }),
          success: { status: 200, description: 'The user', body: UserResponse },
          errors: [ERRORS.user_not_found],
        },
        async (c) => {
          const user = await store.find(c.req.valid('param').user_id)
          return user ? c.json(user, 200) : fail(c, ERRORS.user_not_found)
        },
      ),
    )
    .patch(
      '/users/:user_id',
      endpoint(
        {
          id: 'updateUser',
          tag: 'users',
          summary: 'Change a user',
          description:
            'Sets the name if it is not empty, and the team if it is not null. Fields that are absent, null or empty keep their value.',
          param: z.object({ user_id }),
          json: UserUpdate,
          success: {
            status: 200,
            description: 'The updated user',
            body: UserResponse,
          },
          errors: [ERRORS.user_not_found, ERRORS.team_not_found],
        },
        async (c) => {
          const { user_id } = c.req.valid('param')
          const { name, team_id } = c.req.valid('json')
          try {
            const change = { name: name || null, team_id: team_id ?? null }
            const found = await store.update(user_id, change)
            // RETURNING with the roles, after a wait for another transaction, would
            // read the roles as they were before the wait.
            const user = found ? await store.find(user_id) : undefined
            return user ? c.json(user, 200) : fail(c, ERRORS.user_not_found)
          } catch (error) {
            const errors = { users_team_id_fkey: ERRORS.team_not_found }
            return fail(c, onConstraint(error, errors))
          }
        },
      ),
    )
    .delete(
      '/users/:user_id',
      endpoint(
        {
          id: 'deleteUser',
          tag: 'users',
          summary: 'Delete a user and its role assignments',
          param: z.object({ user_id }),
          success: { status: 204, description: 'The user was deleted' },
          errors: [ERRORS.user_not_found],
        },
        async (c) =>
          (await store.delete(c.req.valid('param').user_id))
            ? c.body(null, 204)
            : fail(c, ERRORS.user_not_found),
      ),
    )

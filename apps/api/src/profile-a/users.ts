import type { Kysely } from 'kysely'
import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import { onConstraint } from '../database/errors.ts'
import { Failure } from '../http/errors.ts'
import { listRoute } from '../http/list.ts'
import { type Route, route } from '../http/route.ts'
import { RoleId, TeamId, UserId } from '../ids.ts'
import type { PasswordHasher } from '../passwords.ts'
import { ERRORS, UserCreate, UserResponse, UserUpdate } from './schemas.ts'
import type { Loaders } from './store/loaders.ts'
import type { Tables } from './store/tables.ts'
import {
  assignRole,
  createUser,
  deleteUser,
  listUsers,
  updateUser,
} from './store/users.ts'

const user_id = idSchema(UserId)

export const userRoutes = (
  db: Kysely<Tables>,
  loaders: Loaders,
  passwords: PasswordHasher,
): Route[] => [
  route(
    {
      method: 'post',
      path: '/users',
      id: 'createUser',
      tag: 'users',
      summary: 'Register a user',
      body: UserCreate,
      success: {
        status: 201,
        description: 'The new user',
        body: UserResponse,
        location: ({ id }) => `users/${id}`,
      },
      errors: [ERRORS.email_taken, ERRORS.team_not_found],
    },
    async ({ body: { password, ...user } }) => {
      const password_hash = await passwords.hash(password)
      const id = await createUser(db, { ...user, password_hash }).catch(
        onConstraint({
          users_normalized_email_key: ERRORS.email_taken,
          users_team_id_fkey: ERRORS.team_not_found,
        }),
      )
      if (id instanceof Failure) return id
      const { email, name, team_id } = user
      const team =
        team_id === null ? null : ((await loaders.teams.load(team_id)) ?? null)
      return { id, email, name, team, roles: [] }
    },
  ),

  route(
    {
      method: 'get',
      path: '/users/{user_id}',
      id: 'getUser',
      tag: 'users',
      summary: 'Read a user',
      params: z.object({ user_id }),
      success: { status: 200, description: 'The user', body: UserResponse },
      errors: [ERRORS.user_not_found],
    },
    async ({ params }) =>
      (await loaders.users.load(params.user_id)) ?? ERRORS.user_not_found,
  ),

  route(
    {
      method: 'patch',
      path: '/users/{user_id}',
      id: 'updateUser',
      tag: 'users',
      summary: 'Change a user',
      description:
        'Sets the name if it is not empty, and the team if it is not null. Fields that are absent, null or empty keep their value.',
      params: z.object({ user_id }),
      body: UserUpdate,
      success: {
        status: 200,
        description: 'The updated user',
        body: UserResponse,
      },
      errors: [ERRORS.user_not_found, ERRORS.team_not_found],
    },
    async ({ params: { user_id }, body }) => {
      const change = {
        name: body.name || undefined,
        team_id: body.team_id ?? undefined,
      }
      const found = await updateUser(db, user_id, change).catch(
        onConstraint({ users_team_id_fkey: ERRORS.team_not_found }),
      )
      if (found instanceof Failure) return found
      return (
        (found && (await loaders.users.load(user_id))) || ERRORS.user_not_found
      )
    },
  ),

  route(
    {
      method: 'delete',
      path: '/users/{user_id}',
      id: 'deleteUser',
      tag: 'users',
      summary: 'Delete a user and its role assignments',
      params: z.object({ user_id }),
      success: { status: 204, description: 'The user was deleted' },
      errors: [ERRORS.user_not_found],
    },
    async ({ params }) =>
      (await deleteUser(db, params.user_id))
        ? undefined
        : ERRORS.user_not_found,
  ),

  listRoute(
    {
      path: '/users',
      id: 'listUsers',
      tag: 'users',
      summary: 'List users in creation order, optionally of one team',
      query: z.object({ team_id: idSchema(TeamId).optional() }),
      item: UserResponse,
      after: UserId,
    },
    async ({ query: { team_id } }) =>
      (page) =>
        listUsers(db, { ...page, team_id }),
  ),

  route(
    {
      method: 'post',
      path: '/users/{user_id}/roles/{role_id}',
      id: 'assignRole',
      tag: 'users',
      summary: 'Assign a role to a user',
      description:
        'Assigning a role that the user already has succeeds and changes nothing.',
      params: z.object({ user_id, role_id: idSchema(RoleId) }),
      success: {
        status: 200,
        description: 'The user with its roles',
        body: UserResponse,
      },
      errors: [ERRORS.user_not_found, ERRORS.role_not_found],
    },
    async ({ params: { user_id, role_id } }) => {
      const failure = await assignRole(db, user_id, role_id).catch(
        onConstraint({
          user_roles_user_id_fkey: ERRORS.user_not_found,
          user_roles_role_id_fkey: ERRORS.role_not_found,
        }),
      )
      // Another request can delete the user or the role before this reads them.
      const user = await loaders.users.load(user_id)
      if (user === undefined) return ERRORS.user_not_found
      return (
        failure ??
        (user.roles.some(({ id }) => id === role_id)
          ? user
          : ERRORS.role_not_found)
      )
    },
  ),
]

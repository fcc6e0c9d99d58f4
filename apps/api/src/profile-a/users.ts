import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { onConstraint } from '../database/errors.ts'
import { pageOf } from '../database/page.ts'
import { listRoute } from '../http/list.ts'
import { type Route, route } from '../http/route.ts'
import { RoleId, TeamId, UserId } from '../ids.ts'
import type { PasswordHasher } from '../passwords.ts'
import { ERRORS, UserCreate, UserResponse, UserUpdate } from './schemas.ts'
import { assignRole, createUser, deleteUser, updateUser } from './store/users.ts'
import { findUser, listUsers } from './store/users-with-roles.ts'

const user_id = idSchema(UserId)

export const userRoutes = (db: Database, passwords: PasswordHasher): Route[] => [
  route(
    {
      method: 'post',
      path: '/users',
      id: 'createUser',
      tag: 'users',
      summary: 'Register a user',
      body: UserCreate,
      success: { status: 201, description: 'The new user', body: UserResponse },
      errors: [ERRORS.email_taken, ERRORS.team_not_found],
    },
    async ({ body: { password, ...user } }) => {
      // Hashes outside the transaction, which would otherwise block other writes for the 8 to 20 ms of a hash.
      const password_hash = await passwords.hash(password)
      return db
        .writeAll((tx) => [createUser(tx, { ...user, password_hash })])
        .then(([created]) => created)
        .catch(
          onConstraint({
            users_normalized_email_key: ERRORS.email_taken,
            users_team_id_fkey: ERRORS.team_not_found,
          }),
        )
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
    async ({ params }) => (await findUser(db, params.user_id)) ?? ERRORS.user_not_found,
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
      success: { status: 200, description: 'The updated user', body: UserResponse },
      errors: [ERRORS.user_not_found, ERRORS.team_not_found],
    },
    async ({ params, body }) =>
      db
        .writeAll((tx) => [
          updateUser(tx, params.user_id, {
            name: body.name || undefined,
            team_id: body.team_id ?? undefined,
          }),
          findUser(tx, params.user_id),
        ])
        .then(([isFound, user]) => (isFound && user) || ERRORS.user_not_found)
        .catch(onConstraint({ users_team_id_fkey: ERRORS.team_not_found })),
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
    async ({ params }) => {
      const [found] = await db.writeAll((tx) => [deleteUser(tx, params.user_id)])
      return found ? undefined : ERRORS.user_not_found
    },
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
    ({ team_id }) =>
      async ({ after, limit }) =>
        pageOf(await listUsers(db, { after, limit: limit + 1, team_id }), limit),
  ),

  route(
    {
      method: 'post',
      path: '/users/{user_id}/roles/{role_id}',
      id: 'assignRole',
      tag: 'users',
      summary: 'Assign a role to a user',
      description: 'Assigning a role that the user already has succeeds and changes nothing.',
      params: z.object({ user_id, role_id: idSchema(RoleId) }),
      success: { status: 200, description: 'The user with its roles', body: UserResponse },
      errors: [ERRORS.user_not_found, ERRORS.role_not_found],
    },
    async ({ params }) =>
      db
        .writeAll((tx) => [assignRole(tx, params.user_id, params.role_id), findUser(tx, params.user_id)])
        .then(([, user]) => {
          if (user === undefined) return ERRORS.user_not_found
          return user.roles.some(({ id }) => id === params.role_id) ? user : ERRORS.role_not_found
        })
        // Another transaction may delete the role after this one has read it. It cannot delete the user, who is locked.
        .catch(onConstraint({ user_roles_role_id_fkey: ERRORS.role_not_found })),
  ),
]

import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import type { Database, Db } from '../database/database.ts'
import { onConstraint } from '../database/errors.ts'
import { listRoute } from '../http/paging.ts'
import { type Route, route } from '../http/route.ts'
import { RoleId, TeamId, UserId } from '../ids.ts'
import type { Limiter } from '../limiter.ts'
import { hashPassword } from './passwords.ts'
import { UserCreate, UserResponse, UserUpdate } from './shapes.ts'
import { assignRole, createUser, deleteUser, findUser, listUsers, updateUser } from './store/users.ts'

const user_id = idSchema(UserId)

export const userRoutes = (db: Database, hashing: Limiter): Route[] => [
  route(
    {
      method: 'post',
      path: '/users',
      id: 'createUser',
      tag: 'users',
      summary: 'Register a user',
      body: UserCreate,
      success: { status: 201, description: 'The new user', body: UserResponse },
      errors: ['email_taken', 'team_not_found'],
    },
    async ({ body: { password, ...user } }) => {
      // Before the transaction: hashing takes a thousand times as long as the insert.
      const password_hash = await hashPassword(hashing, password)
      return db
        .write(async (tx) => stored(tx, await createUser(tx, { ...user, password_hash })))
        .catch(onConstraint({ unique: 'email_taken', foreign_key: 'team_not_found' }))
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
      errors: ['user_not_found'],
    },
    async ({ params }) => (await findUser(db, params.user_id)) ?? 'user_not_found',
  ),

  route(
    {
      method: 'patch',
      path: '/users/{user_id}',
      id: 'updateUser',
      tag: 'users',
      summary: 'Change a user',
      description:
        'Sets the name when it is not empty and the team when it is not null; what is absent, null or empty stays as it is.',
      params: z.object({ user_id }),
      body: UserUpdate,
      success: { status: 200, description: 'The user as it is now', body: UserResponse },
      errors: ['user_not_found', 'team_not_found'],
    },
    ({ params, body }) =>
      db
        .write(async (tx) => {
          const change = { name: body.name || null, team_id: body.team_id ?? null }
          const found = await updateUser(tx, params.user_id, change)
          return found ? stored(tx, params.user_id) : 'user_not_found'
        })
        .catch(onConstraint({ foreign_key: 'team_not_found' })),
  ),

  route(
    {
      method: 'delete',
      path: '/users/{user_id}',
      id: 'deleteUser',
      tag: 'users',
      summary: 'Delete a user and its role assignments',
      params: z.object({ user_id }),
      success: { status: 204, description: 'The user is gone' },
      errors: ['user_not_found'],
    },
    async ({ params }) => {
      const found = await db.write((tx) => deleteUser(tx, params.user_id))
      return found ? undefined : 'user_not_found'
    },
  ),

  listRoute(
    {
      path: '/users',
      id: 'listUsers',
      tag: 'users',
      summary: 'List users in the order of their creation, all or those of one team',
      query: { team_id: idSchema(TeamId).optional() },
      item: UserResponse,
      after: UserId,
    },
    (page) => listUsers(db, page),
  ),

  route(
    {
      method: 'post',
      path: '/users/{user_id}/roles/{role_id}',
      id: 'assignRole',
      tag: 'users',
      summary: 'Assign a role to a user',
      description: 'Assigning a role that the user already has changes nothing and succeeds.',
      params: z.object({ user_id, role_id: idSchema(RoleId) }),
      success: { status: 200, description: 'The user with its roles', body: UserResponse },
      errors: ['user_not_found', 'role_not_found'],
    },
    async ({ params }) => {
      const user = await db
        .write(async (tx) => {
          await assignRole(tx, params.user_id, params.role_id)
          return stored(tx, params.user_id)
        })
        .catch(onConstraint({ foreign_key: 'missing' }))
      if (user !== 'missing') return user
      return (await findUser(db, params.user_id)) ? 'role_not_found' : 'user_not_found'
    },
  ),
]

/** The user that this transaction has just written. */
async function stored(tx: Db, id: UserId) {
  const user = await findUser(tx, id)
  if (user === undefined) throw new Error(`${id} is not there after it was written`)
  return user
}

import type { Kysely } from 'kysely'
import type { IdType } from 'typed-id'
import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import { onConstraint } from '../database/errors.ts'
import { listRoute } from '../http/list.ts'
import { type Route, route } from '../http/route.ts'
import { OrderId, TeamId, UserId } from '../ids.ts'
import * as initial from './migrations/0001-initial.ts'
import {
  ERRORS,
  OrderCreate,
  OrderResponse,
  TeamCreate,
  TeamResponse,
  UserCreate,
  UserDeleted,
  UserResponse,
} from './schemas.ts'
import {
  createTeam,
  createUser,
  deleteUser,
  findTeam,
  findUser,
  listUsers,
  storeDemo,
  type Tables,
} from './store.ts'

export const profileB = {
  title: 'User Management, simplified',
  description:
    'Teams, users and orders, kept in memory, in which every identifier carries its type.',
  tags: {
    teams: 'Groups of users',
    users: 'People, with a team',
    orders: 'Orders of products',
  },
  migrations: { '0001-initial': initial },
  isInMemory: true,
  storeDemo,
  endpoints: (db: Kysely<Tables>) => endpoints(db),
}

const user_id = idSchema(UserId)

const endpoints = (db: Kysely<Tables>): Route[] => [
  route(
    {
      method: 'post',
      path: '/teams',
      id: 'createTeam',
      tag: 'teams',
      summary: 'Create a team',
      body: TeamCreate,
      success: { status: 200, description: 'The new team', body: TeamResponse },
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
      (await findTeam(db, params.team_id)) ?? ERRORS.team_not_found,
  ),

  route(
    {
      method: 'post',
      path: '/users',
      id: 'createUser',
      tag: 'users',
      summary: 'Register a user',
      body: UserCreate,
      success: { status: 200, description: 'The new user', body: UserResponse },
      errors: [ERRORS.team_not_found],
    },
    ({ body }) =>
      createUser(db, body).catch(
        onConstraint({ users_team_id_fkey: ERRORS.team_not_found }),
      ),
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
      (await findUser(db, params.user_id)) ?? ERRORS.user_not_found,
  ),

  route(
    {
      method: 'get',
      path: '/users/lookup/{id}',
      id: 'lookUpUser',
      tag: 'users',
      summary: 'Read a user by an identifier in either form',
      params: z.object({ id: eitherForm(UserId) }),
      success: { status: 200, description: 'The user', body: UserResponse },
      errors: [
        ERRORS.invalid_user_id,
        ERRORS.expected_user_id,
        ERRORS.user_not_found,
      ],
    },
    async ({ params }) => {
      const { data: id, error } = UserId.safeParseEitherForm(params.id)
      if (error)
        return error.code === 'wrong_type'
          ? ERRORS.expected_user_id
          : ERRORS.invalid_user_id
      return (await findUser(db, id)) ?? ERRORS.user_not_found
    },
  ),

  route(
    {
      method: 'delete',
      path: '/users/{user_id}',
      id: 'deleteUser',
      tag: 'users',
      summary: 'Delete a user',
      params: z.object({ user_id }),
      success: {
        status: 200,
        description: 'The user was deleted',
        body: UserDeleted,
      },
      errors: [ERRORS.user_not_found],
    },
    async ({ params }) => {
      const deleted = await deleteUser(db, params.user_id)
      return deleted ? { deleted } : ERRORS.user_not_found
    },
  ),

  listRoute(
    {
      path: '/users',
      id: 'listUsers',
      tag: 'users',
      summary: 'List users in creation order',
      description:
        'Lists all users: `team_id` is validated but does not filter.',
      query: z.object({ team_id: eitherForm(TeamId).optional() }),
      item: UserResponse,
      after: UserId,
      errors: [ERRORS.invalid_team_id, ERRORS.expected_team_id],
    },
    async ({ query: { team_id } }) => {
      const error =
        team_id === undefined
          ? undefined
          : TeamId.safeParseEitherForm(team_id).error
      if (error)
        return error.code === 'wrong_type'
          ? ERRORS.expected_team_id
          : ERRORS.invalid_team_id
      return (page) => listUsers(db, page)
    },
  ),

  // Orders are not stored, because no endpoint reads them and they would only
  // use memory.
  route(
    {
      method: 'post',
      path: '/orders',
      id: 'createOrder',
      tag: 'orders',
      summary: 'Order a product for a user',
      description:
        'Accepts any identifiers of the right types. Does not check that the user and the product exist.',
      body: OrderCreate,
      success: {
        status: 200,
        description: 'The new order',
        body: OrderResponse,
      },
    },
    async ({ body: { user_id, product_id } }) => ({
      order_id: OrderId.generate(),
      user_id,
      product_id,
    }),
  ),
]

/**
 * A schema of an id in the standard or the short form. It accepts any string,
 * which the handler parses.
 */
const eitherForm = ({
  prefix,
  pattern,
  shortPattern,
  example,
}: IdType<string>) =>
  z.string().meta({
    pattern: `${pattern}|${shortPattern}`,
    example,
    description: `Identifier of type ${prefix} in its standard or short form`,
  })

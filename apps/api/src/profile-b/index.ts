import { Hono } from 'hono'
import type { Kysely } from 'kysely'
import type { IdType } from 'typed-id'
import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import { onConstraint } from '../database/driver-errors.ts'
import type { AppEnv } from '../http/app-env.ts'
import { endpoint } from '../http/endpoint.ts'
import { Failure, fail } from '../http/failures.ts'
import { list } from '../http/list.ts'
import { OrderId, TeamId, UserId } from '../ids.ts'
import type { Profile } from '../profile.ts'
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
  app: (db: Kysely<Tables>) =>
    new Hono<AppEnv>()
      .route('/', teams(db))
      .route('/', users(db))
      .route('/', orders()),
} satisfies Profile

function teams(db: Kysely<Tables>) {
  return new Hono<AppEnv>()
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
}

const user_id = idSchema(UserId)

const users = (db: Kysely<Tables>) =>
  new Hono<AppEnv>()
    .post(
      '/users',
      endpoint(
        {
          id: 'createUser',
          tag: 'users',
          summary: 'Register a user',
          json: UserCreate,
          success: {
            status: 200,
            description: 'The new user',
            body: UserResponse,
          },
          errors: [ERRORS.team_not_found],
        },
        async (c) => {
          const user = await createUser(db, c.req.valid('json')).catch(
            onConstraint({ users_team_id_fkey: ERRORS.team_not_found }),
          )
          return user instanceof Failure ? fail(c, user) : c.json(user, 200)
        },
      ),
    )
    .get(
      '/users',
      list(
        {
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
        async (c) => {
          const { team_id } = c.req.valid('query')
          const error =
            team_id === undefined
              ? undefined
              : TeamId.safeParseEitherForm(team_id).error
          if (error?.code === 'wrong_type')
            return fail(c, ERRORS.expected_team_id)
          if (error) return fail(c, ERRORS.invalid_team_id)
          return (page) => listUsers(db, page)
        },
      ),
    )
    .get(
      '/users/lookup/:id',
      endpoint(
        {
          id: 'lookUpUser',
          tag: 'users',
          summary: 'Read a user by an identifier in either form',
          param: z.object({ id: eitherForm(UserId) }),
          success: { status: 200, description: 'The user', body: UserResponse },
          errors: [
            ERRORS.invalid_user_id,
            ERRORS.expected_user_id,
            ERRORS.user_not_found,
          ],
        },
        async (c) => {
          const { id } = c.req.valid('param')
          const { data, error } = UserId.safeParseEitherForm(id)
          if (error?.code === 'wrong_type')
            return fail(c, ERRORS.expected_user_id)
          if (error) return fail(c, ERRORS.invalid_user_id)
          const user = await findUser(db, data)
          return user ? c.json(user, 200) : fail(c, ERRORS.user_not_found)
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
          const user = await findUser(db, c.req.valid('param').user_id)
          return user ? c.json(user, 200) : fail(c, ERRORS.user_not_found)
        },
      ),
    )
    .delete(
      '/users/:user_id',
      endpoint(
        {
          id: 'deleteUser',
          tag: 'users',
          summary: 'Delete a user',
          param: z.object({ user_id }),
          success: {
            status: 200,
            description: 'The user was deleted',
            body: UserDeleted,
          },
          errors: [ERRORS.user_not_found],
        },
        async (c) =>
          (await deleteUser(db, c.req.valid('param').user_id))
            ? c.json({ deleted: true } as const, 200)
            : fail(c, ERRORS.user_not_found),
      ),
    )

// Orders are not stored, because no endpoint reads them and they would only use
// memory.
const orders = () =>
  new Hono<AppEnv>().post(
    '/orders',
    endpoint(
      {
        id: 'createOrder',
        tag: 'orders',
        summary: 'Order a product for a user',
        description:
          'Accepts any identifiers of the right types. Does not check that the user and the product exist.',
        json: OrderCreate,
        success: {
          status: 200,
          description: 'The new order',
          body: OrderResponse,
        },
      },
      async (c) => {
        const { user_id, product_id } = c.req.valid('json')
        const order_id = OrderId.generate()
        return c.json({ order_id, user_id, product_id }, 200)
      },
    ),
  )

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

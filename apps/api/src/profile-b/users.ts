import { Hono } from 'hono'
import type { Kysely } from 'kysely'
import type { IdType } from 'typed-id'
import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import { onConstraint } from '../database/driver-errors.ts'
import { endpoint } from '../http/endpoint.ts'
import { fail } from '../http/failures.ts'
import { list } from '../http/list.ts'
import { TeamId, UserId } from '../ids.ts'
import { ERRORS, UserCreate, UserDeleted, UserResponse } from './schemas.ts'
import {
  createUser,
  deleteUser,
  findUser,
  listUsers,
  type Tables,
} from './store.ts'

const user_id = idSchema(UserId)

export const users = (db: Kysely<Tables>) =>
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
            status: 200,
            description: 'The new user',
            body: UserResponse,
          },
          errors: [ERRORS.team_not_found],
        },
        async (c) => {
          try {
            return c.json(await createUser(db, c.req.valid('json')), 200)
          } catch (error) {
            const errors = { users_team_id_fkey: ERRORS.team_not_found }
            return fail(c, onConstraint(error, errors))
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
          summary: 'List users in creation order',
          description:
            'Lists all users: `team_id` is validated but does not filter.',
          query: z.object({ team_id: eitherForm(TeamId).optional() }),
          item: UserResponse,
          after: UserId,
          errors: [ERRORS.invalid_team_id, ERRORS.expected_team_id],
        },
        (_, page) => listUsers(db, page),
        (c) => {
          const { team_id } = c.req.valid('query')
          if (team_id === undefined) return undefined
          const { error } = TeamId.safeParseEitherForm(team_id)
          if (error?.code === 'wrong_type')
            return fail(c, ERRORS.expected_team_id)
          return error && fail(c, ERRORS.invalid_team_id)
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

/**
 * Accepts any string, so that the handler can respond 400 instead of 422 to
 * an invalid id.
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

import { Hono } from 'hono'
import { onConstraint } from '../database/driver-errors.ts'
import { endpoint } from '../http/endpoint.ts'
import { fail } from '../http/failures.ts'
import { list } from '../http/list.ts'
import { RoleId } from '../ids.ts'
import { ERRORS, RoleCreate, RoleResponse } from './schemas.ts'
import type { RoleStore } from './store/roles.ts'

export const roles = (store: RoleStore) =>
  new Hono()
    .post(
      '/roles',
      endpoint(
        {
          id: 'createRole',
          tag: 'roles',
          summary: 'Create a role',
          json: RoleCreate,
          success: {
            status: 201,
            description: 'The new role',
            body: RoleResponse,
          },
          errors: [ERRORS.role_name_taken],
        },
        async (c) => {
          try {
            return c.json(await store.create(c.req.valid('json')), 201)
          } catch (error) {
            const errors = { roles_name_key: ERRORS.role_name_taken }
            return fail(c, onConstraint(error, errors))
          }
        },
      ),
    )
    .get(
      '/roles',
      list(
        {
          id: 'listRoles',
          tag: 'roles',
          summary: 'List roles in creation order',
          item: RoleResponse,
          after: RoleId,
        },
        (_, page) => store.list(page),
      ),
    )

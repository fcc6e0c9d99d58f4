import type { Kysely } from 'kysely'
import { onConstraint } from '../database/errors.ts'
import { listRoute } from '../http/list.ts'
import { type Route, route } from '../http/route.ts'
import { RoleId } from '../ids.ts'
import { ERRORS, RoleCreate, RoleResponse } from './schemas.ts'
import { createRole, listRoles } from './store/roles.ts'
import type { Tables } from './store/tables.ts'

export const roleRoutes = (db: Kysely<Tables>): Route[] => [
  route(
    {
      method: 'post',
      path: '/roles',
      id: 'createRole',
      tag: 'roles',
      summary: 'Create a role',
      body: RoleCreate,
      success: { status: 201, description: 'The new role', body: RoleResponse },
      errors: [ERRORS.role_name_taken],
    },
    ({ body }) =>
      createRole(db, body).catch(
        onConstraint({ roles_name_key: ERRORS.role_name_taken }),
      ),
  ),

  listRoute(
    {
      path: '/roles',
      id: 'listRoles',
      tag: 'roles',
      summary: 'List roles in creation order',
      item: RoleResponse,
      after: RoleId,
    },
    async () => (page) => listRoles(db, page),
  ),
]

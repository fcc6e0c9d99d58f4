import type { Database } from '../database/database.ts'
import { onConstraint } from '../database/errors.ts'
import { listRoute } from '../http/paging.ts'
import { type Route, route } from '../http/route.ts'
import { RoleId } from '../ids.ts'
import { RoleCreate, RoleResponse } from './shapes.ts'
import { createRole, listRoles } from './store/roles.ts'

export const roleRoutes = (db: Database): Route[] => [
  route(
    {
      method: 'post',
      path: '/roles',
      id: 'createRole',
      tag: 'roles',
      summary: 'Create a role',
      body: RoleCreate,
      success: { status: 201, description: 'The new role', body: RoleResponse },
      errors: ['role_name_taken'],
    },
    ({ body }) => db.write((tx) => createRole(tx, body)).catch(onConstraint({ unique: 'role_name_taken' })),
  ),

  listRoute(
    {
      path: '/roles',
      id: 'listRoles',
      tag: 'roles',
      summary: 'List roles in the order of their creation',
      item: RoleResponse,
      after: RoleId,
    },
    (page) => listRoles(db, page),
  ),
]

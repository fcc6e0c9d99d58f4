import type { Db } from '../../database/database.ts'
import { andThen } from '../../database/maybe-promise.ts'
import { RoleId } from '../../ids.ts'
import { query } from './schema.ts'

const insertRole = query((db, p: { id: RoleId; name: string; description: string | null }) =>
  db.insertInto('roles').values({ id: p.id, name: p.name, description: p.description }),
)

/** Roles in creation order, which is the order of their ids. '' sorts before the first id. */
export const listRoles = query((db, p: { after: RoleId | ''; limit: number }) =>
  db
    .selectFrom('roles')
    .select(['id', 'name', 'description'])
    // biome-ignore lint/plugin: '' is not in the type of the column.
    .where('id', '>', p.after as RoleId)
    .orderBy('id')
    .limit(p.limit),
)

/** Throws a ConstraintError `roles_name_key` when the name is taken. */
export function createRole(db: Db, input: { name: string; description: string | null }) {
  const role = { id: RoleId.generate(), name: input.name, description: input.description }
  return andThen(insertRole(db, role), () => role)
}

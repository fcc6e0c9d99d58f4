import type { Kysely } from 'kysely'
import { compiled } from '../../database/compiled.ts'
import { pageOf } from '../../database/page.ts'
import { RoleId } from '../../ids.ts'
import type { Tables } from './tables.ts'

const insertRole = compiled((db: Kysely<Tables>, id: RoleId, name: string, description: string | null) =>
  db.insertInto('roles').values({ id, name, description }),
)

const selectPage = compiled((db: Kysely<Tables>, after: RoleId | '', limit: number) =>
  db
    .selectFrom('roles')
    .select(['id', 'name', 'description'])
    // biome-ignore lint/plugin: '' is not in the type of the column.
    .where('id', '>', after as RoleId)
    .orderBy('id')
    .limit(limit),
)

/** Violates `roles_name_key` when the name is taken. */
export async function createRole(db: Kysely<Tables>, input: { name: string; description: string | null }) {
  const role = { id: RoleId.generate(), name: input.name, description: input.description }
  await insertRole(db, role.id, role.name, role.description)
  return role
}

/** Roles in creation order, which is the order of their ids. '' sorts before the first id. */
export async function listRoles(db: Kysely<Tables>, { after, limit }: { after: RoleId | ''; limit: number }) {
  return pageOf(await selectPage(db, after, limit + 1), limit)
}

import type { Kysely } from 'kysely'
import { pageOf } from '../../database/page.ts'
import { RoleId } from '../../ids.ts'
import type { Tables } from './tables.ts'

/** Violates `roles_name_key` when the name is taken. */
export async function createRole(
  db: Kysely<Tables>,
  input: { name: string; description: string | null },
) {
  const role = {
    id: RoleId.generate(),
    name: input.name,
    description: input.description,
  }
  await db.insertInto('roles').values(role).execute()
  return role
}

/**
 * Roles in creation order, which is the order of their ids. '' sorts before the
 * first id.
 */
export async function listRoles(
  db: Kysely<Tables>,
  { after, limit }: { after: RoleId | ''; limit: number },
) {
  const rows = await db
    .selectFrom('roles')
    .select(['id', 'name', 'description'])
    // biome-ignore lint/plugin: '' is not in the type of the column.
    .where('id', '>', after as RoleId)
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return pageOf(rows, limit)
}

import type { Kysely } from 'kysely'
import { RoleId } from '../../ids.ts'
import { type Page, type PageRequest, pageOf } from '../../page.ts'
import type { Tables } from './tables.ts'

export type Role = Tables['roles']
export type RoleStore = ReturnType<typeof createRoleStore>

export const createRoleStore = (db: Kysely<Tables>) => ({
  async create({ name, description }: Omit<Role, 'id'>): Promise<Role> {
    const role = { id: RoleId.generate(), name, description }
    await db.insertInto('roles').values(role).execute()
    return role
  },

  async list(page: PageRequest<RoleId>): Promise<Page<Role>> {
    const rows = await db
      .selectFrom('roles')
      .select(['id', 'name', 'description'])
      .where('id', '>', page.after)
      .orderBy('id')
      .limit(page.limit + 1)
      .execute()
    return pageOf(rows, page.limit)
  },
})

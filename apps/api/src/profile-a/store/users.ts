import type { Expression, InferResult, Kysely } from 'kysely'
import { compiled } from '../../database/compiled.ts'
import { type RoleId, type TeamId, UserId } from '../../ids.ts'
import { type Page, type PageRequest, pageOf } from '../../page.ts'
import { normalizeEmail } from '../email-address.ts'
import { loadById } from './load-by-id.ts'
import type { Role } from './roles.ts'
import type { Tables } from './tables.ts'
import type { Team } from './teams.ts'

export type UserStore = ReturnType<typeof createUserStore>

export function createUserStore(db: Kysely<Tables>) {
  const change = (
    id: Expression<UserId>,
    fields: { name?: Expression<string>; team_id?: Expression<TeamId> },
  ) => db.updateTable('users').set(fields).where('id', '=', id).returning('id')
  const updateName = compiled<[UserId, string], unknown>(db, (id, name) =>
    change(id, { name }),
  )
  const updateTeam = compiled<[UserId, TeamId], unknown>(db, (id, team_id) =>
    change(id, { team_id }),
  )
  const updateBoth = compiled<[UserId, string, TeamId], unknown>(
    db,
    (id, name, team_id) => change(id, { name, team_id }),
  )

  const insertUserRole = compiled<[UserId, RoleId], unknown>(
    db,
    (user_id, role_id) =>
      db
        .insertInto('user_roles')
        .values({ user_id, role_id })
        .onConflict((conflict) => conflict.doNothing()),
  )

  const page = (after: Expression<UserId>, limit: Expression<number>) =>
    selectUsers(db).where('id', '>', after).orderBy('id').limit(limit)
  const selectPage = compiled<[UserId, number], UserRow>(db, (after, limit) =>
    withRoles(db, page(after, limit)),
  )
  const selectPageOfTeam = compiled<[UserId, number, TeamId], UserRow>(
    db,
    (after, limit, team_id) =>
      withRoles(db, page(after, limit).where('team_id', '=', team_id)),
  )

  return {
    async create(
      user: Omit<Tables['users'], 'id' | 'normalized_email'>,
    ): Promise<UserId> {
      const id = UserId.generate()
      const normalized_email = normalizeEmail(user.email)
      await db
        .insertInto('users')
        .values({ ...user, id, normalized_email })
        .execute()
      return id
    },

    find: loadById(
      db,
      (ids: readonly Expression<UserId>[]) =>
        withRoles(db, selectUsers(db).where('id', 'in', ids)),
      toUsers,
    ),

    async list(
      { after, limit }: PageRequest<UserId>,
      team_id?: TeamId,
    ): Promise<Page<User>> {
      const rows = await (team_id
        ? selectPageOfTeam(after, limit + 1, team_id)
        : selectPage(after, limit + 1))
      return pageOf(toUsers(rows), limit)
    },

    async update(
      id: UserId,
      { name, team_id }: { name: string | null; team_id: TeamId | null },
    ): Promise<boolean> {
      let updated: readonly unknown[]
      if (name !== null && team_id !== null)
        updated = await updateBoth(id, name, team_id)
      else if (name !== null) updated = await updateName(id, name)
      else if (team_id !== null) updated = await updateTeam(id, team_id)
      else return true
      return updated.length > 0
    },

    async delete(id: UserId): Promise<boolean> {
      const deleted = await db
        .deleteFrom('users')
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      return deleted !== undefined
    },

    async assignRole(user_id: UserId, role_id: RoleId): Promise<void> {
      await insertUserRole(user_id, role_id)
    },
  }
}

const selectUsers = (db: Kysely<Tables>) =>
  db.selectFrom('users').select(['id', 'email', 'name', 'team_id'])

const withRoles = (db: Kysely<Tables>, users: ReturnType<typeof selectUsers>) =>
  db
    .selectFrom(users.as('users'))
    .leftJoin('teams', 'teams.id', 'users.team_id')
    .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
    .leftJoin('roles', 'roles.id', 'user_roles.role_id')
    .selectAll('users')
    .select([
      'teams.name as team_name',
      'roles.id as role_id',
      'roles.name as role_name',
      'roles.description as role_description',
    ])
    .orderBy('users.id')

type UserRow = InferResult<ReturnType<typeof withRoles>>[number]

interface User extends Pick<UserRow, 'id' | 'email' | 'name'> {
  readonly team: Team | null
  readonly roles: Role[]
}

/**
 * Sorts roles here: sorting all rows in SQLite would take a quarter of the
 * statement's time.
 */
function toUsers(rows: readonly UserRow[]): User[] {
  const users = new Map<UserId, User>()
  for (const row of rows) {
    const { id, email, name, team_id, team_name } = row
    let user = users.get(id)
    if (user === undefined) {
      const team =
        team_id === null || team_name === null
          ? null
          : { id: team_id, name: team_name }
      user = { id, email, name, team, roles: [] }
      users.set(id, user)
    }
    const { role_id, role_name, role_description } = row
    if (role_id !== null && role_name !== null)
      user.roles.push({
        id: role_id,
        name: role_name,
        description: role_description,
      })
  }
  for (const { roles } of users.values())
    roles.sort((a, b) => (a.id < b.id ? -1 : 1))
  return [...users.values()]
}

import type { Kysely } from 'kysely'
import { compiled, compiledForKeys } from '../../database/compiled.ts'
import type { Page } from '../../database/page.ts'
import { type RoleId, type TeamId, UserId } from '../../ids.ts'
import { normalizeEmail } from './email-address.ts'
import type { Tables } from './tables.ts'

/** A user as clients see it: with its team and its roles. */
export interface User {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly team: { readonly id: TeamId; readonly name: string } | null
  readonly roles: {
    readonly id: RoleId
    readonly name: string
    readonly description: string | null
  }[]
}

/**
 * Maximum number of rows that one page of a list reads. A user has a row for
 * each of its roles.
 */
const PAGE_ROWS = 1000

const updateFields = compiled(
  (db: Kysely<Tables>, id: UserId, name?: string, team_id?: TeamId) =>
    db
      .updateTable('users')
      .set({ name, team_id })
      .where('id', '=', id)
      .returning('id'),
)

const insertUserRole = compiled(
  (db: Kysely<Tables>, user_id: UserId, role_id: RoleId) =>
    db
      .insertInto('user_roles')
      .values({ user_id, role_id })
      .onConflict((conflict) => conflict.doNothing()),
)

const columns = [
  'users.id',
  'users.email',
  'users.name',
  'users.team_id',
] as const

const joined = [
  'teams.name as team_name',
  'roles.id as role_id',
  'roles.name as role_name',
  'roles.description as role_description',
] as const

/**
 * One statement with a row for each role of a user, so that user and roles are
 * of one moment.
 */
const selectUsers = compiledForKeys(
  (db: Kysely<Tables>, ids: readonly UserId[]) =>
    db
      .selectFrom('users')
      .leftJoin('teams', 'teams.id', 'users.team_id')
      .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
      .leftJoin('roles', 'roles.id', 'user_roles.role_id')
      .select([...columns, ...joined])
      .where('users.id', 'in', ids),
)

const selectPage = compiled(
  (db: Kysely<Tables>, after: UserId | '', limit: number, team_id?: TeamId) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('users')
          .select(columns)
          // biome-ignore lint/plugin: '' is not in the type of the column.
          .where('id', '>', after as UserId)
          .$call((page) =>
            team_id === undefined ? page : page.where('team_id', '=', team_id),
          )
          .orderBy('id')
          .limit(limit)
          .as('users'),
      )
      .leftJoin('teams', 'teams.id', 'users.team_id')
      .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
      .leftJoin('roles', 'roles.id', 'user_roles.role_id')
      .select([...columns, ...joined])
      .orderBy('users.id')
      .limit(PAGE_ROWS + 1),
)

type Row = Awaited<ReturnType<typeof selectUsers>>[number]

/** Returns the users of the ids that exist, in any order. */
export async function findUsers(
  db: Kysely<Tables>,
  ids: readonly UserId[],
): Promise<User[]> {
  return toUsers(await selectUsers(db, ids))
}

/**
 * Users in creation order, of one team or of all. '' sorts before the first id.
 */
export async function listUsers(
  db: Kysely<Tables>,
  {
    after,
    limit,
    team_id,
  }: { after: UserId | ''; limit: number; team_id?: TeamId | undefined },
): Promise<Page<User>> {
  const rows = await selectPage(db, after, limit + 1, team_id)
  const users = toUsers(rows)
  if (rows.length <= PAGE_ROWS)
    return { items: users.slice(0, limit), hasMore: users.length > limit }
  // The last user of a full page may lack some roles. A user with more roles
  // than rows fit on a page gets a separate page.
  const [first] = users as [User]
  return {
    items:
      users.length > 1 ? users.slice(0, -1) : await findUsers(db, [first.id]),
    hasMore: true,
  }
}

/**
 * Creates a user without roles. Violates `users_normalized_email_key` when the
 * e-mail is taken, and `users_team_id_fkey` when the team does not exist.
 */
export async function createUser(
  db: Kysely<Tables>,
  user: {
    email: string
    name: string
    password_hash: string
    team_id: TeamId | null
  },
): Promise<UserId> {
  const row = {
    ...user,
    id: UserId.generate(),
    normalized_email: normalizeEmail(user.email),
  }
  await db.insertInto('users').values(row).execute()
  return row.id
}

/**
 * Sets the fields that are present. Returns false when the user does not exist.
 * Violates `users_team_id_fkey` when the team does not exist.
 */
export async function updateUser(
  db: Kysely<Tables>,
  id: UserId,
  {
    name,
    team_id,
  }: { name?: string | undefined; team_id?: TeamId | undefined },
): Promise<boolean> {
  if (name === undefined && team_id === undefined) return true
  return (await updateFields(db, id, name, team_id)).length > 0
}

/**
 * Deletes a user and its role assignments. Returns false when the user does not
 * exist.
 */
export async function deleteUser(
  db: Kysely<Tables>,
  id: UserId,
): Promise<boolean> {
  const deleted = await db
    .deleteFrom('users')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

/**
 * Assigns a role. Changes nothing when the user has the role already. Violates
 * `user_roles_user_id_fkey` or `user_roles_role_id_fkey` when the user or the
 * role does not exist.
 */
export async function assignRole(
  db: Kysely<Tables>,
  user_id: UserId,
  role_id: RoleId,
): Promise<void> {
  await insertUserRole(db, user_id, role_id)
}

/**
 * Joins the rows of each user, and sorts its roles. As a second term of ORDER
 * BY, they would make SQLite sort all rows, for a quarter of the time of the
 * statement.
 */
function toUsers(rows: readonly Row[]): User[] {
  const users = new Map<UserId, User>()
  for (const row of rows) {
    const {
      id,
      email,
      name,
      team_id,
      team_name,
      role_id,
      role_name,
      role_description,
    } = row
    let user = users.get(id)
    if (user === undefined) {
      const team =
        team_id === null || team_name === null
          ? null
          : { id: team_id, name: team_name }
      user = { id, email, name, team, roles: [] }
      users.set(id, user)
    }
    if (role_id !== null && role_name !== null)
      user.roles.push({
        id: role_id,
        name: role_name,
        description: role_description,
      })
  }
  for (const { roles } of users.values())
    if (roles.length > 1) roles.sort((a, b) => (a.id < b.id ? -1 : 1))
  return [...users.values()]
}

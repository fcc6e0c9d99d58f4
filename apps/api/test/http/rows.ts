import type { OpenDatabase } from '../../src/database/open.ts'
import { RoleId, type TeamId, UserId } from '../../src/ids.ts'

type Db = OpenDatabase['db']

/** Inserts users without the 20 ms of a password hash. Returns their ids. */
export async function insertUsers(
  db: Db,
  count: number,
  fields: { name?: string; team_id?: TeamId | undefined } = {},
): Promise<UserId[]> {
  const ids = UserId.generateMany(count)
  const rows = ids.map((id) => ({
    id,
    email: id,
    normalized_email: id,
    name: '',
    password_hash: 'x',
    team_id: null,
    ...fields,
  }))
  await db.insertInto('users').values(rows).execute()
  return ids
}

/** Inserts roles whose name ends with their number. Returns their ids. */
export async function insertRoles(
  db: Db,
  count: number,
  { name = 'role ', description = '' } = {},
): Promise<RoleId[]> {
  const ids = RoleId.generateMany(count)
  const rows = ids.map((id, n) => ({ id, name: name + n, description }))
  await db.insertInto('roles').values(rows).execute()
  return ids
}

/** Assigns every role to every user. */
export async function assignRoles(
  db: Db,
  users: readonly (UserId | undefined)[],
  roles: readonly RoleId[],
): Promise<void> {
  for (const user_id of users) {
    const rows = roles.map((role_id) => ({ user_id, role_id }))
    await db.insertInto('user_roles').values(rows).execute()
  }
}

import { type ExpressionBuilder, type QueryCreator, sql } from 'kysely'
import type { Database, Db } from '../../database/database.ts'
import { andThen } from '../../database/maybe-promise.ts'
import { wherePresent } from '../../database/present.ts'
import type { RoleId, TeamId, UserId } from '../../ids.ts'
import { query, type Tables } from './schema.ts'

const usersWithTeam = (db: QueryCreator<Tables>) =>
  db
    .selectFrom('users')
    .leftJoin('teams', 'teams.id', 'users.team_id')
    .select(['users.id', 'users.email', 'users.name', 'users.team_id', 'teams.name as team_name'])

const rolesOfUsers = (db: QueryCreator<Tables>) =>
  db
    .selectFrom('user_roles')
    .innerJoin('roles', 'roles.id', 'user_roles.role_id')
    .select(['user_roles.user_id', 'roles.id', 'roles.name', 'roles.description'])

/** Selects one row per role, or one row without a role. A single statement reads user and roles from one state. */
const selectUser = query(
  (db, p: { id: UserId }) =>
    usersWithTeam(db)
      .leftJoin('user_roles', 'user_roles.user_id', 'users.id')
      .leftJoin('roles', 'roles.id', 'user_roles.role_id')
      .select(['roles.id as role_id', 'roles.name as role_name', 'roles.description as role_description'])
      .where('users.id', '=', p.id),
  { key: 'id' },
)

const pageOfUsers = query((db, p: { team_id?: TeamId | undefined; after: UserId; limit: number }) =>
  usersWithTeam(db)
    .where((eb) => wherePresent(eb, { 'users.team_id': p.team_id }))
    .where('users.id', '>', p.after)
    .orderBy('users.id')
    .limit(p.limit),
)

/**
 * For PostgreSQL: returns a row for each user of a page with the ids of the user's roles, and a row for each role that
 * one of the users has. Each row has null in the columns of the other kind. A statement with a row for each pair of
 * user and role takes 1.4 times the processor time of service and server.
 */
const pageWithRoles = query((db, p: { team_id?: TeamId | undefined; after: UserId; limit: number }) =>
  db
    .with(
      (cte) => cte('page').materialized(),
      (db) =>
        usersWithTeam(db)
          .select((eb) => sql`array(${rolesOfUser(eb)})`.as('role_ids'))
          .where((eb) => wherePresent(eb, { 'users.team_id': p.team_id }))
          .where('users.id', '>', p.after)
          .orderBy('users.id')
          .limit(p.limit),
    )
    .selectFrom('page')
    .select(({ ref }) => [
      ref('page.id').$castTo<UserId | null>().as('user_id'),
      ref('page.email').$castTo<string | null>().as('email'),
      ref('page.name').$castTo<string | null>().as('name'),
      'page.team_id',
      'page.team_name',
      sql<string | null>`array_to_string(role_ids, ',')`.as('role_ids'),
    ])
    .select([nothing<RoleId>().as('role_id'), nothing().as('role_name'), nothing().as('description')])
    .unionAll(
      db
        .selectFrom('roles')
        .select([nothing<UserId>().as('user_id'), nothing().as('email'), nothing().as('name')])
        .select([nothing<TeamId>().as('team_id'), nothing().as('team_name'), nothing().as('role_ids')])
        .select(['roles.id as role_id', 'roles.name as role_name', 'roles.description'])
        .where('roles.id', 'in', sql<RoleId>`(select unnest(role_ids) from page)`),
    ),
)

const rolesOfUser = (eb: ExpressionBuilder<Tables, 'users'>) =>
  eb
    .selectFrom('user_roles')
    .select('role_id')
    .whereRef('user_roles.user_id', '=', 'users.id')
    .orderBy('role_id')

const rolesBetween = query((db, p: { first: UserId; last: UserId }) =>
  rolesOfUsers(db)
    .where('user_roles.user_id', '>=', p.first)
    .where('user_roles.user_id', '<=', p.last)
    .orderBy('user_roles.user_id')
    .orderBy('user_roles.role_id'),
)

/** Uses a subquery, which takes 75 % of the time of a join, because SQLite would sort the rows of a join. */
const rolesOfMembersBetween = query((db, p: { team_id: TeamId; first: UserId; last: UserId }) =>
  rolesOfUsers(db)
    .where('user_roles.user_id', 'in', (eb) =>
      eb
        .selectFrom('users')
        .select('users.id')
        .where('users.team_id', '=', p.team_id)
        .where('users.id', '>=', p.first)
        .where('users.id', '<=', p.last),
    )
    .orderBy('user_roles.user_id')
    .orderBy('user_roles.role_id'),
)

/** Null for a column that only rows of the other kind have. */
const nothing = <Value = string>() => sql<Value | null>`null`

type UserRow = Awaited<ReturnType<typeof pageOfUsers>>[number]
type SelectedUser = Awaited<ReturnType<typeof selectUser>>[number]
type Role = Tables['roles']

export const findUser = (db: Db, id: UserId) =>
  // Sorts here: for ORDER BY, PostgreSQL would plan a sort, though the index already has a user's roles in this order.
  andThen(selectUser(db, { id }), (rows) => rows[0] && toUser(rows[0], rows.flatMap(rolesIn).sort(byId)))

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)

/** Returns the role of a row in an array, which is empty for a user without a role. */
const rolesIn = ({ role_id: id, role_name: name, role_description: description }: SelectedUser): Role[] =>
  id === null || name === null ? [] : [{ id, name, description }]

interface UserPage {
  readonly team_id?: TeamId | undefined
  readonly after: UserId
  readonly limit: number
}

/**
 * Users in creation order, of one team or of all. '' sorts before the first id. PostgreSQL runs one statement, to save
 * a round trip. SQLite has no arrays, and runs two statements in a transaction.
 */
export function listUsers(db: Database, from: Omit<UserPage, 'after'> & { readonly after: UserId | '' }) {
  // biome-ignore lint/plugin: '' is not in the type of the column, but sorts before every id.
  const page = { ...from, after: from.after as UserId }
  return db.read ? db.read((tx) => listInTwoStatements(tx, page)) : listInOneStatement(db, page)
}

async function listInOneStatement(db: Db, page: UserPage) {
  const rows = await pageWithRoles(db, page)
  const roles = new Map<string, Role>()
  for (const { role_id: id, role_name: name, description } of rows)
    if (id !== null && name !== null) roles.set(id, { id, name, description })
  const users = rows.flatMap(({ user_id: id, email, name, team_id, team_name, role_ids }) => {
    if (id === null || email === null || name === null) return []
    const own = role_ids ? role_ids.split(',').flatMap((id) => roles.get(id) ?? []) : []
    return toUser({ id, email, name, team_id, team_name }, own)
  })
  return users.sort(byId) // a UNION returns rows in no order
}

async function listInTwoStatements(db: Db, page: UserPage) {
  const { team_id } = page
  const rows = await pageOfUsers(db, page)
  const first = rows[0]?.id
  const last = rows.at(-1)?.id
  if (first === undefined || last === undefined) return []
  const roles = team_id
    ? await rolesOfMembersBetween(db, { team_id, first, last })
    : await rolesBetween(db, { first, last })
  // Merges users and roles, which have the same order. A Map of roles by user takes a tenth of the time of a list.
  let next = 0
  return rows.map((row) => {
    const own: Role[] = []
    for (let role = roles[next]; role?.user_id === row.id; role = roles[++next]) {
      const { id, name, description } = role
      own.push({ id, name, description })
    }
    return toUser(row, own)
  })
}

const toUser = ({ id, email, name, team_id, team_name }: UserRow, roles: Role[]) => ({
  id,
  email,
  name,
  team: team_id === null || team_name === null ? null : { id: team_id, name: team_name },
  roles,
})

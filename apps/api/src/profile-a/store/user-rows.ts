import type { RoleId, TeamId, UserId } from '../../ids.ts'
import type { Role } from './roles.ts'
import type { Team } from './teams.ts'

/** A user as clients see it: with its team and its roles. */
export interface User {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly team: Team | null
  readonly roles: Role[]
}

interface UserRow {
  readonly id: UserId
  readonly email: string
  readonly name: string
  readonly team_id: TeamId | null
  readonly team_name: string | null
  readonly role_id: RoleId | null
  readonly role_name: string | null
  readonly role_description: string | null
}

/**
 * Joins the rows of each user, and sorts its roles here: ordered by users and
 * roles, SQLite would sort all rows, for a quarter of the time of the
 * statement.
 */
export function toUsers(rows: readonly UserRow[]): User[] {
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
    if (roles.length > 1) roles.sort((a, b) => (a.id < b.id ? -1 : 1))
  return [...users.values()]
}

/**
 * Joins at most `limit` rows, in the order of the users. If there are `limit`
 * rows, omits the last user, which may lack roles, and returns its id as
 * `unread`.
 */
export function toWholeUsers(rows: readonly UserRow[], limit: number) {
  const items = toUsers(rows)
  const unread = rows.length < limit ? undefined : items.pop()?.id
  return { items, unread }
}

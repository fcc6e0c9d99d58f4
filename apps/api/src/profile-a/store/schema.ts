import { queriesOn } from '../../database/query.ts'
import { tablesOf } from '../../database/table.ts'
import type { RoleId, TeamId, UserId } from '../../ids.ts'

// Named row types: with them, the compiler's messages about a join are a third shorter, and suggest a column.
type Team = { id: TeamId; name: string }
type Role = { id: RoleId; name: string; description: string | null }
type User = {
  id: UserId
  /** The address as the client sent it. */
  email: string
  /** The form by which an address is unique: see normalizeEmail(). */
  normalized_email: string
  name: string
  password_hash: string
  team_id: TeamId | null
}
type UserRole = { user_id: UserId; role_id: RoleId }

export interface Tables {
  teams: Team
  roles: Role
  users: User
  user_roles: UserRole
}

/** Every table with the columns of its key, parents first. */
export const tables = tablesOf<Tables>({
  teams: ['id'],
  roles: ['id'],
  users: ['id'],
  user_roles: ['user_id', 'role_id'],
})

export const query = queriesOn<Tables>()

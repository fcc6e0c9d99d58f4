import { queriesOn } from '../../database/query.ts'
import { tablesOf } from '../../database/table.ts'
import type { RoleId, TeamId, UserId } from '../../ids.ts'

// A row type with a name: the compiler's messages about a join are two thirds as long, and suggest the column.
type Team = { id: TeamId; name: string }
type Role = { id: RoleId; name: string; description: string | null }
type User = {
  id: UserId
  /** As the client sent it. */
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

/** Every table and column, parents before children. A table or column that is missing or of another kind does not compile. */
export const tables = tablesOf<Tables>({
  teams: { id: 'id', name: 'text' },
  roles: { id: 'id', name: 'text', description: 'text or null' },
  users: {
    id: 'id',
    email: 'text',
    normalized_email: 'text',
    name: 'text',
    password_hash: 'text',
    team_id: 'reference or null',
  },
  user_roles: { user_id: 'reference in key', role_id: 'reference in key' },
})

export const query = queriesOn<Tables>(tables)

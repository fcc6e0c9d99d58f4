import type { RoleId, TeamId, UserId } from '../../ids.ts'

export interface Tables {
  teams: TeamTable
  roles: RoleTable
  users: UserTable
  user_roles: UserRoleTable
}

interface TeamTable {
  id: TeamId
  name: string
}

interface RoleTable {
  id: RoleId
  name: string
  description: string | null
}

interface UserTable {
  id: UserId
  /** The address as the client sent it. */
  email: string
  /** The form by which an address is unique: see normalizeEmail(). */
  normalized_email: string
  name: string
  password_hash: string
  team_id: TeamId | null
}

interface UserRoleTable {
  user_id: UserId
  role_id: RoleId
}

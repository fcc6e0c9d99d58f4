import type { RoleId, TeamId, UserId } from '../../ids.ts'

export interface Tables {
  teams: { id: TeamId; name: string }
  roles: { id: RoleId; name: string; description: string | null }
  users: {
    id: UserId
    email: string
    normalized_email: string
    name: string
    password_hash: string
    team_id: TeamId | null
  }
  user_roles: { user_id: UserId; role_id: RoleId }
}

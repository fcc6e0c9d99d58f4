import { queriesOn } from '../../database/query.ts'
import { tablesOf } from '../../database/table.ts'
import type { RoleId, TeamId, UserId } from '../../ids.ts'

export interface Tables {
  teams: { id: TeamId; name: string }
  roles: { id: RoleId; name: string; description: string | null }
  users: {
    id: UserId
    /** As the client sent it. */
    email: string
    /** The form by which an address is unique: see normalizeEmail(). */
    normalized_email: string
    name: string
    password_hash: string
    team_id: TeamId | null
  }
  user_roles: { user_id: UserId; role_id: RoleId }
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

import type { TableShape } from '../../database/copy.ts'
import { queriesOn } from '../../database/query.ts'
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

/** Every table and column, parents before children. A table or column that is missing here does not compile. */
const COLUMNS: { [Name in keyof Tables]: Record<keyof Tables[Name], 'key' | 'value'> } = {
  teams: { id: 'key', name: 'value' },
  roles: { id: 'key', name: 'value', description: 'value' },
  users: {
    id: 'key',
    email: 'value',
    normalized_email: 'value',
    name: 'value',
    password_hash: 'value',
    team_id: 'value',
  },
  user_roles: { user_id: 'key', role_id: 'key' },
}

export const tables: readonly TableShape[] = Object.entries(COLUMNS).map(([name, columns]) => ({
  name,
  key: Object.entries(columns).flatMap(([column, kind]) => (kind === 'key' ? column : [])),
  columns: Object.keys(columns),
}))

export const query = queriesOn<Tables>()

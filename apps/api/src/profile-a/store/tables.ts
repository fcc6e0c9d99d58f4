import type { Table } from '../../database/copy.ts'
import type { Tables } from './schema.ts'

/** Every table and column, parents before children. A table or column that is missing here does not compile. */
const COLUMNS: { [Name in keyof Tables]: Record<keyof Tables[Name], 'key' | 'value'> } = {
  teams: { id: 'key', name: 'value' },
  roles: { id: 'key', name: 'value', description: 'value' },
  users: { id: 'key', email: 'value', name: 'value', password_hash: 'value', team_id: 'value' },
  user_roles: { user_id: 'key', role_id: 'key' },
}

export const tables: readonly Table[] = Object.entries(COLUMNS).map(([name, columns]) => ({
  name,
  key: Object.entries(columns).flatMap(([column, kind]) => (kind === 'key' ? column : [])),
  columns: Object.keys(columns),
}))

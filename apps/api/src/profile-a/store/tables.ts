import type { Table } from '../../database/copy.ts'
import type { Tables } from './schema.ts'

/** Every table, those that others refer to first. */
export const tables: readonly Table[] = [
  table('teams', { key: ['id'], others: ['name'] }),
  table('roles', { key: ['id'], others: ['name', 'description'] }),
  table('users', { key: ['id'], others: ['email', 'name', 'password_hash', 'team_id'] }),
  table('user_roles', { key: ['user_id', 'role_id'], others: [] }),
]

function table<Name extends keyof Tables>(
  name: Name,
  { key, others }: Record<'key' | 'others', (keyof Tables[Name] & string)[]>,
): Table {
  return { name, key, columns: [...key, ...others] }
}

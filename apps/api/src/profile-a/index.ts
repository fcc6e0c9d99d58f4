import type { Profile } from '../profile.ts'
import { roleRoutes } from './roles.ts'
import { migrations } from './store/migrations/index.ts'
import { tables } from './store/tables.ts'
import { teamRoutes } from './teams.ts'
import { userRoutes } from './users.ts'

export const profileA: Profile = {
  title: 'User Management',
  description: 'Teams, roles and users, in which every identifier carries its type.',
  tags: { teams: 'Groups of users', roles: 'What a user may hold', users: 'People, with a team and roles' },
  migrations,
  tables,
  routes: (db, { hashing }) => [...teamRoutes(db), ...roleRoutes(db), ...userRoutes(db, hashing)],
}

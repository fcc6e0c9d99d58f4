import type { Kysely } from 'kysely'
import { createPasswordHasher } from '../passwords.ts'
import { storeDemo } from './demo.ts'
import * as initial from './migrations/0001-initial.ts'
import * as normalizedEmail from './migrations/0002-normalized-email.ts'
import { roleRoutes } from './roles.ts'
import { createLoaders } from './store/loaders.ts'
import type { Tables } from './store/tables.ts'
import { teamRoutes } from './teams.ts'
import { userRoutes } from './users.ts'

export const profileA = {
  title: 'User Management',
  description:
    'Teams, roles and users, in which every identifier carries its type.',
  tags: {
    teams: 'Groups of users',
    roles: 'Roles that users can have',
    users: 'People, with a team and roles',
  },
  migrations: {
    '0001-initial': initial,
    '0002-normalized-email': normalizedEmail,
  },
  storeDemo,
  endpoints(
    db: Kysely<Tables>,
    { passwords } = { passwords: createPasswordHasher() },
  ) {
    const loaders = createLoaders(db)
    return [
      ...teamRoutes(db, loaders),
      ...roleRoutes(db),
      ...userRoutes(db, loaders, passwords),
    ]
  },
}

import { Hono } from 'hono'
import type { Kysely } from 'kysely'
import type { Watch } from '../metric.ts'
import type { Profile } from '../profile.ts'
import { storeDemo } from './demo.ts'
import * as initial from './migrations/0001-initial.ts'
import * as normalizedEmail from './migrations/0002-normalized-email.ts'
import { createPasswordHasher } from './passwords.ts'
import { roles } from './roles.ts'
import { createRoleStore } from './store/roles.ts'
import type { Tables } from './store/tables.ts'
import { createTeamStore } from './store/teams.ts'
import { createUserStore } from './store/users.ts'
import { teams } from './teams.ts'
import { users } from './users.ts'

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
  app(db: Kysely<Tables>, watch?: Watch) {
    const teamStore = createTeamStore(db)
    const userStore = createUserStore(db)
    const passwords = createPasswordHasher(watch)
    return new Hono()
      .route('/', teams(teamStore))
      .route('/', roles(createRoleStore(db)))
      .route('/', users(userStore, teamStore, passwords))
  },
} satisfies Profile

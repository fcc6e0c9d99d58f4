import type { Profile } from '../profile.ts'
import { orderRoutes } from './orders.ts'
import { migrations } from './store/migrations/index.ts'
import { teamRoutes } from './teams.ts'
import { userRoutes } from './users.ts'

export const profileB: Profile = {
  title: 'User Management, simplified',
  description: 'Teams, users and orders, kept in memory, in which every identifier carries its type.',
  tags: { teams: 'Groups of users', users: 'People, with a team', orders: 'What a user buys' },
  migrations,
  routes: (db) => [...teamRoutes(db), ...userRoutes(db), ...orderRoutes()],
}

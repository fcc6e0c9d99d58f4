import type { Database } from '../database/database.ts'
import { endpoints } from './endpoints.ts'
import * as initial from './migrations/0001-initial.ts'

export const profileB = {
  title: 'User Management, simplified',
  description: 'Teams, users and orders, kept in memory, in which every identifier carries its type.',
  tags: { teams: 'Groups of users', users: 'People, with a team', orders: 'Orders of products' },
  migrations: { '0001-initial': initial },
  createService: (db: Database) => ({ routes: endpoints(db) }),
}

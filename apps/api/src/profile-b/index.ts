import { Hono } from 'hono'
import type { Kysely } from 'kysely'
import type { Profile } from '../profile.ts'
import * as initial from './migrations/0001-initial.ts'
import { orders } from './orders.ts'
import { storeDemo, type Tables } from './store.ts'
import { teams } from './teams.ts'
import { users } from './users.ts'

export const profileB = {
  title: 'User Management, simplified',
  description:
    'Teams, users and orders, kept in memory, in which every identifier carries its type.',
  tags: {
    teams: 'Groups of users',
    users: 'People, with a team',
    orders: 'Orders of products',
  },
  migrations: { '0001-initial': initial },
  storeDemo,
  app: (db: Kysely<Tables>) =>
    new Hono().route('/', teams(db)).route('/', users(db)).route('/', orders()),
} satisfies Profile

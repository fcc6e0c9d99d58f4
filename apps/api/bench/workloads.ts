import { RoleId, TeamId, UserId } from '../src/ids.ts'
import type { Seeded } from './seed.ts'

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: unknown
}

export interface Workload {
  readonly title: string
  /** At least so many times the rate of a peer; for the last two, the p99 of a peer divided by ours. */
  readonly targets?: Partial<Record<'fastify-sqlite' | 'express-drizzle', number>>
  /** Calls repeated over and over. */
  readonly calls?: (seeded: Seeded) => Call[]
  /** Calls none of which may be made twice. */
  readonly fresh?: (seeded: Seeded, round: number) => Generator<Call>
  /** Measured are 500 reads a second of `calls`, beside a flood of this workload. */
  readonly beside?: string
  /** Whether the peers' answers must equal ours to the byte. */
  readonly compared?: boolean
}

const get = (path: string): Call => ({ method: 'GET', path })

/** Every so many-th of a list, 200 in all, so that they come from everywhere in the tables. */
const sample = <T>(list: readonly T[], count = 200): T[] => {
  const step = Math.max(1, Math.floor(list.length / count))
  return list.filter((_, n) => n % step === 0).slice(0, count)
}

const readUsers = ({ users }: Seeded) => sample(users).map((id) => get(`/users/${id}`))

export const WORKLOADS: Readonly<Record<string, Workload>> = {
  user: {
    title: 'GET /users/{id}',
    calls: readUsers,
    compared: true,
    targets: { 'fastify-sqlite': 1.5, 'express-drizzle': 8 },
  },
  'bad-id': {
    title: 'GET /users/{bad id} -> 422',
    calls: () => [TeamId.example, 'user-1', UserId.toShort(UserId.example)].map((id) => get(`/users/${id}`)),
    compared: true,
    targets: { 'fastify-sqlite': 0.95 },
  },
  team: {
    title: 'GET /teams/{id}',
    calls: ({ teams }) => sample(teams).map((id) => get(`/teams/${id}`)),
    compared: true,
    targets: { 'fastify-sqlite': 0.95 },
  },
  members: {
    title: 'GET /users?team_id= (100 users)',
    calls: ({ teams, users }) =>
      teams.slice(0, Math.min(20, users.length / 100)).map((id) => get(`/users?team_id=${id}`)),
    compared: true,
    targets: { 'fastify-sqlite': 1.5 },
  },
  users: {
    title: 'GET /users, all',
    calls: () => [get('/users')],
    compared: true,
    targets: { 'fastify-sqlite': 1.4 },
  },
  patch: {
    title: 'PATCH /users/{id}, durable',
    *fresh({ users }, round) {
      for (let n = 0; ; n += 1) {
        const path = `/users/${users[(n * 17) % users.length]}`
        yield { method: 'PATCH', path, body: { name: `Renamed ${round} ${n}` } }
      }
    },
    targets: { 'fastify-sqlite': 5 },
  },
  'post-team': {
    title: 'POST /teams, durable',
    calls: () => [{ method: 'POST', path: '/teams', body: { name: 'New team' } }],
    targets: { 'fastify-sqlite': 5 },
  },
  assign: {
    title: 'role assignment, durable',
    *fresh({ users, roles }, round) {
      // Steps that have no factor in common with the counts meet every pair once before they meet one again.
      for (let n = round * 20_000; ; n += 1) {
        const user = users[(n * 7919) % users.length]
        const role = roles[Math.floor((n * 7919) / users.length) % roles.length]
        yield { method: 'POST', path: `/users/${user}/roles/${role}` }
      }
    },
    targets: { 'fastify-sqlite': 4 },
  },
  register: {
    title: 'POST /users (argon2id)',
    *fresh(_, round) {
      for (let n = 0; ; n += 1) {
        const email = `new-${round}-${n}-${process.pid}@example.com`
        yield { method: 'POST', path: '/users', body: { email, name: 'New', password: 'correct horse' } }
      }
    },
    targets: { 'fastify-sqlite': 0.95 },
  },
  'reads-beside-writes': {
    title: '500 reads/s beside 64 writers: p99',
    calls: readUsers,
    beside: 'post-team',
    targets: { 'fastify-sqlite': 3 },
  },
  'reads-beside-registrations': {
    title: '500 reads/s beside registrations: p99',
    calls: readUsers,
    beside: 'register',
    targets: { 'fastify-sqlite': 2 },
  },
}

/** Ids that exist in no database, for what is compared. */
export const UNKNOWN = [
  get(`/users/${UserId.example}`),
  get(`/teams/${TeamId.example}`),
  get(`/users/${RoleId.example}`),
]

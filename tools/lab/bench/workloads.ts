import { TeamId, UserId } from 'api/ids.ts'
import type { Seeded } from 'api/test/support/seed.ts'
import type { HttpRequest } from '../kit/http.ts'

/** Requests that a load repeats. */
export interface Workload {
  readonly title: string
  readonly calls?: (seeded: Seeded) => HttpRequest[]
  /** Requests that must not be sent twice. */
  readonly createCalls?: (
    seeded: Seeded,
    round: number,
  ) => Generator<HttpRequest, never>
  /**
   * Number of clients and shortest duration in seconds, for a workload whose
   * responses take up to a second.
   */
  readonly slow?: { readonly connections: number; readonly seconds: number }
  /** Whether the responses of all servers must be equal byte for byte. */
  readonly isCompared?: boolean
}

const get = (path: string): HttpRequest => ({ method: 'GET', path })

/**
 * Returns about 200 elements at equal distances, so that requests read every
 * part of a table.
 */
const sample = <T>(list: readonly T[], size = 200): T[] => {
  const step = Math.max(1, Math.floor(list.length / size))
  return list.filter((_, n) => n % step === 0).slice(0, size)
}

export const WORKLOADS: Readonly<Record<string, Workload>> = {
  user: {
    title: 'GET /users/{id}',
    calls: ({ users }) => sample(users).map((id) => get(`/users/${id}`)),
    isCompared: true,
  },
  'bad-id': {
    title: 'GET /users/{invalid id}, 422',
    calls: () =>
      [TeamId.example, 'user-1', UserId.toShort(UserId.example)].map((id) =>
        get(`/users/${id}`),
      ),
    isCompared: true,
  },
  team: {
    title: 'GET /teams/{id}',
    calls: ({ teams }) => sample(teams).map((id) => get(`/teams/${id}`)),
    isCompared: true,
  },
  members: {
    title: 'GET /users?team_id=, 100 users',
    calls: ({ teams, users }) =>
      teams
        .slice(0, Math.min(20, users.length / 100))
        .map((id) => get(`/users?team_id=${id}`)),
    isCompared: true,
  },
  users: {
    title: 'GET /users, all',
    calls: () => [get('/users')],
    slow: { connections: 2, seconds: 2 },
    isCompared: true,
  },
  patch: {
    title: 'PATCH /users/{id}, durable',
    *createCalls({ users }, round) {
      for (let n = 0; ; n += 1) {
        const path = `/users/${users[(n * 17) % users.length]}`
        yield { method: 'PATCH', path, body: { name: `Renamed ${round} ${n}` } }
      }
    },
  },
  'post-team': {
    title: 'POST /teams, durable',
    calls: () => [
      { method: 'POST', path: '/teams', body: { name: 'New team' } },
    ],
  },
  assign: {
    title: 'role assignment, durable',
    *createCalls({ users, roles }, round) {
      // 7919 is prime, so the sequence contains every pair of user and role
      // once before a pair repeats.
      for (let n = round * 20_000; ; n += 1) {
        const user = users[(n * 7919) % users.length]
        const role = roles[Math.floor((n * 7919) / users.length) % roles.length]
        yield { method: 'POST', path: `/users/${user}/roles/${role}` }
      }
    },
  },
  register: {
    title: 'POST /users (argon2id)',
    *createCalls(_, round) {
      for (let n = 0; ; n += 1) {
        const email = `new-${round}-${n}-${process.pid}@example.com`
        yield {
          method: 'POST',
          path: '/users',
          body: { email, name: 'New', password: 'correct horse' },
        }
      }
    },
  },
}

export function findWorkload(name: string): Workload {
  const workload = WORKLOADS[name]
  if (workload === undefined)
    throw new Error(
      `no workload ${name}, expected one of ${Object.keys(WORKLOADS)}`,
    )
  return workload
}

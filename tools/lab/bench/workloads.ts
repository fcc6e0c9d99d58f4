import { TeamId, UserId } from 'api/ids.ts'
import type { Seeded } from '../kit/seed.ts'

export interface HttpRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

export interface Workload {
  readonly title: string
  /**
   * Returns requests that may be repeated, or a generator of requests that must
   * not be sent twice.
   */
  readonly calls: (
    seeded: Seeded,
  ) => HttpRequest[] | Generator<HttpRequest, never>
  readonly status?: number
  /** Set for workloads whose responses take long. */
  readonly maxConnections?: number
}

const get = (path: string): HttpRequest => ({ method: 'GET', path })
const post = (path: string, body?: unknown): HttpRequest => ({
  method: 'POST',
  path,
  body,
})

/**
 * Returns about 200 evenly spaced elements, so that requests read every part of
 * a table.
 */
const sample = <T>(list: readonly T[], size = 200): T[] => {
  const step = Math.max(1, Math.floor(list.length / size))
  return list.filter((_, n) => n % step === 0).slice(0, size)
}

export const WORKLOADS: Readonly<Record<string, Workload>> = {
  user: {
    title: 'GET /users/{id}',
    calls: ({ users }) => sample(users).map((id) => get(`/users/${id}`)),
  },
  'bad-id': {
    title: 'GET /users/{invalid id}, 422',
    calls: () =>
      [TeamId.example, 'user-1', UserId.toShort(UserId.example)].map((id) =>
        get(`/users/${id}`),
      ),
    status: 422,
  },
  team: {
    title: 'GET /teams/{id}',
    calls: ({ teams }) => sample(teams).map((id) => get(`/teams/${id}`)),
  },
  members: {
    title: 'GET /users?team_id=, 100 users',
    calls: ({ teams, users }) =>
      teams
        .slice(0, Math.min(20, users.length / 100))
        .map((id) => get(`/users?team_id=${id}`)),
  },
  users: {
    title: 'GET /users, all',
    calls: () => [get('/users')],
    maxConnections: 2,
  },
  patch: {
    title: 'PATCH /users/{id}, durable',
    *calls({ users }) {
      for (let n = 0; ; n += 1) {
        const path = `/users/${users[(n * 17) % users.length]}`
        yield { method: 'PATCH', path, body: { name: `Renamed ${n}` } }
      }
    },
  },
  'post-team': {
    title: 'POST /teams, durable',
    calls: () => [post('/teams', { name: 'New team' })],
    status: 201,
  },
  'bad-body': {
    title: 'POST /teams, invalid name, 422',
    calls: () => [post('/teams', { name: 'x'.repeat(101) })],
    status: 422,
  },
  assign: {
    title: 'role assignment, durable',
    *calls({ users, roles }) {
      // 7919 is prime, so every pair of user and role occurs before a pair
      // repeats.
      for (let n = 0; ; n += 1) {
        const user = users[(n * 7919) % users.length]
        const role = roles[Math.floor((n * 7919) / users.length) % roles.length]
        yield post(`/users/${user}/roles/${role}`)
      }
    },
  },
}

export const isWrite = (name: string): boolean =>
  findWorkload(name).title.includes('durable')

export function findWorkload(name: string): Workload {
  const workload = WORKLOADS[name]
  if (workload === undefined)
    throw new Error(
      `no workload ${name}, expected one of ${Object.keys(WORKLOADS)}`,
    )
  return workload
}

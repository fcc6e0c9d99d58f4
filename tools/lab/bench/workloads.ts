import { TeamId, UserId } from 'api/ids.ts'
import type { Seeded } from '../kit/seed.ts'
import type { Server } from './servers.ts'

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
  readonly maxConnections?: number
}

const send = (method: string) => (path: string, body?: unknown) => ({
  method,
  path,
  body,
})
const [get, post, patch] = [send('GET'), send('POST'), send('PATCH')]

/**
 * Returns evenly spaced elements, because reads of adjacent rows are faster
 * than an application's scattered reads.
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
        yield patch(path, { name: `Renamed ${n}` })
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
      // Visits the pairs of user and role in steps of 7919, a prime number, so
      // that every pair occurs once before any pair repeats.
      for (let n = 0; ; n += 1) {
        const user = users[(n * 7919) % users.length]
        const role = roles[Math.floor((n * 7919) / users.length) % roles.length]
        yield post(`/users/${user}/roles/${role}`)
      }
    },
  },
}

export const findWorkload = (name: string) => WORKLOADS[name] as Workload

const REQUESTS = 20

/**
 * Throws if the servers' responses differ in status, headers or body. Ignores
 * generated ids, and the wording of a 422, which depends on the validation
 * library.
 */
export async function compareResponses(
  servers: readonly Server[],
  seeded: Seeded,
): Promise<number> {
  const requests = [
    ...Object.values(WORKLOADS).flatMap(({ calls }) => takeSome(calls(seeded))),
    ...selectEdgeCases(seeded),
  ]
  const known = new Set([...seeded.teams, ...seeded.users])
  for (const request of requests) {
    const responses = await Promise.all(
      servers.map(({ url }) => readResponse(url, request, known)),
    )
    const other = responses.findIndex((response) => response !== responses[0])
    if (other > 0) {
      const [one, two] = [0, other].map(
        (n) => `${servers[n]?.title}: ${responses[n]?.slice(0, 300)}`,
      )
      throw new Error(
        `responses to ${request.method} ${request.path} differ:\n${one}\n${two}`,
      )
    }
  }
  return requests.length
}

function takeSome(requests: Iterable<HttpRequest>): HttpRequest[] {
  const taken: HttpRequest[] = []
  for (const request of requests) if (taken.push(request) === REQUESTS) break
  return taken
}

const COMPARED_HEADERS = [
  'content-type',
  'x-request-id',
  'cache-control',
  'x-content-type-options',
  'location',
]

function selectEdgeCases({ users, roles, teams }: Seeded): HttpRequest[] {
  const name = 'Größe <&> "quoted" \\ 😀'
  const [user, role, team] = [`/users/${users[0]}`, roles[3], teams.at(-1)]
  return [
    patch(user, { name, team_id: team }),
    get(user),
    post(`${user}/roles/${role}`),
    post(`${user}/roles/${role}`),
    get(user),
    post('/teams', { name }),
    get(`/users?team_id=${team}`),
    get(`/users/${users[0]?.replace(/.$/, 'g')}`),
    get(`/users/user-${team?.slice('team-'.length)}`),
    get(`/teams/team-${users[0]?.slice('user-'.length)}`),
  ]
}

async function readResponse(
  url: string,
  { method, path, body }: HttpRequest,
  known: ReadonlySet<string>,
): Promise<string> {
  const response = await fetch(url + path, {
    method,
    headers: {
      'x-request-id': 'bench',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const headers = COMPARED_HEADERS.map((name) => response.headers.get(name))
  return `${response.status} ${headers.join('; ')} ${await response.text()}`
    .replace('; charset=utf-8', '')
    .replace(UUIDV7_ID, (id) => (known.has(id) ? id : 'a new id'))
    .replace(/"msg":"[^"]*"/g, '"msg":"…"')
}

const UUIDV7_ID =
  /(?:team|user)-[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g

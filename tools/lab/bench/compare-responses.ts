import type { Seeded } from '../kit/seed.ts'
import type { Server } from './servers.ts'
import { type HttpRequest, WORKLOADS } from './workloads.ts'

const REQUESTS = 20

/**
 * Throws unless all servers return the same status, headers and body, byte for
 * byte, to reads and writes. Returns the number of compared responses. The
 * comparison omits ids that the servers create, and the wording of a 422, which
 * depends on the validation library.
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

/**
 * The headers that are compared: those of every response, and those of a 201.
 */
const COMPARED_HEADERS = [
  'content-type',
  'x-request-id',
  'cache-control',
  'x-content-type-options',
  'location',
]

/**
 * Returns requests for edge cases: writes with special characters and repeated
 * writes, each followed by a read of the row, and reads of rows that do not
 * exist.
 */
function selectEdgeCases({ users, roles, teams }: Seeded): HttpRequest[] {
  const name = 'Größe <&> "quoted" \\ 😀'
  const [user, role, team] = [`/users/${users[0]}`, roles[3], teams.at(-1)]
  return [
    { method: 'PATCH', path: user, body: { name, team_id: team } },
    { method: 'GET', path: user },
    { method: 'POST', path: `${user}/roles/${role}` },
    { method: 'POST', path: `${user}/roles/${role}` },
    { method: 'GET', path: user },
    { method: 'POST', path: '/teams', body: { name } },
    { method: 'GET', path: `/users?team_id=${team}` },
    { method: 'GET', path: `/users/${users[0]?.replace(/.$/, 'g')}` },
    { method: 'GET', path: `/users/user-${team?.slice('team-'.length)}` },
    { method: 'GET', path: `/teams/team-${users[0]?.slice('user-'.length)}` },
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

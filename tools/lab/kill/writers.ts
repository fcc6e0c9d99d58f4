import { setTimeout as pause } from 'node:timers/promises'
import {
  type Client,
  type Clients,
  createRole,
  createTeam,
  createUser,
  isDefinite,
  startClients,
  type Write,
} from '../kit/clients.ts'
import type { Ledger, State, StoredRecord } from '../kit/ledger.ts'
import { keyOf } from '../kit/ledger.ts'
import { RoleId, TeamId } from '../kit/seed.ts'

/** How long a client waits after a failed request, so that an outage does not fill the statistics with failures. */
const RETRY_MS = 100

/** Records that later writes refer to, shared by all clients and kept over restarts of the service. */
export interface Population {
  readonly ledger: Ledger
  /** Teams and roles whose creation was acknowledged. */
  readonly teams: StoredRecord[]
  readonly roles: StoredRecord[]
  /** Ledger keys of users by client. Only one client writes to a user, so the state after each write is known. */
  readonly users: string[][]
  /** Number of writes so far, for unique names. */
  count: number
}

export const createPopulation = (ledger: Ledger, clients: number): Population => ({
  ledger,
  teams: [],
  roles: [],
  users: Array.from({ length: clients }, () => []),
  count: 0,
})

/** Starts one client per list of users; each repeats a random write. */
export const startWriters = (url: string, population: Population, random: () => number): Promise<Clients> =>
  startClients({
    url,
    count: population.users.length,
    ledger: population.ledger,
    async work(client: Client) {
      const write = chooseWrite(population, population.users[client.index] as string[], random)
      const exchange = await client.write(write)
      if (exchange.response?.status === 201) {
        const record = JSON.parse(exchange.response.body)
        if (write.path === '/teams') population.teams.push(record)
        if (write.path === '/roles') population.roles.push(record)
      }
      if (!isDefinite(exchange)) await pause(RETRY_MS)
    },
  })

function chooseWrite(population: Population, users: string[], random: () => number): Write {
  population.count += 1
  const n = population.count
  const name = `number ${n}`
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]
  const team = pick(population.teams)
  const role = pick(population.roles)
  const userKey = pick(users)
  const user = userKey === undefined ? undefined : population.ledger.certain(userKey)
  const chance = random()

  if (team && user && chance < 0.3)
    return onUser(user, { method: 'PATCH', body: { name, team_id: team.id }, after: { ...user, name, team } })
  if (role && user && chance < 0.5) {
    const others = (user.roles as StoredRecord[]).filter(({ id }) => id !== role.id)
    const roles = [...others, role].sort((a, b) => (a.id < b.id ? -1 : 1))
    return onUser(user, { method: 'POST', subpath: `/roles/${role.id}`, after: { ...user, roles } })
  }
  // These are rejected with 404 by the foreign key, after a part of the write could have been stored.
  if (user && chance < 0.53)
    return onUser(user, { method: 'PATCH', body: { name, team_id: TeamId.example }, status: 404 })
  if (user && chance < 0.56)
    return onUser(user, { method: 'POST', subpath: `/roles/${RoleId.example}`, status: 404 })
  if (user && chance < 0.58) return onUser(user, { method: 'DELETE', status: 204 })
  if (!user || chance < 0.63) {
    const write = createUser(`person-${n}@example.com`, name, team)
    users.push(write.key)
    return write
  }
  // Rejected with 400 because the name of a role is unique.
  if (role && chance < 0.65) return { ...createRole(String(role.name), 'duplicate'), status: 400 }
  if (chance < 0.75) return createRole(name, `description of ${name}`)
  return createTeam(name)
}

interface UserWrite {
  readonly method: string
  readonly subpath?: string
  readonly body?: unknown
  readonly status?: number
  readonly after?: State
}

const onUser = (
  user: StoredRecord,
  { method, subpath = '', body, status = 200, after }: UserWrite,
): Write => ({
  key: keyOf.users(user.email),
  method,
  path: `/users/${user.id}${subpath}`,
  ...(body !== undefined && { body }),
  status,
  after,
})

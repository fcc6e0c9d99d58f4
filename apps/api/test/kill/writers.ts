import { setTimeout as pause } from 'node:timers/promises'
import { RoleId, TeamId } from '../../src/ids.ts'
import { ANY_ID, type Ledger, type State, type Thing } from './ledger.ts'

/** One request, and what it makes of the thing of its key. */
interface Write {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly body?: Record<string, unknown>
  readonly status: 200 | 201 | 204 | 400 | 404
  readonly after?: State
}

export interface Writers {
  /** Lets requests that run come to their end. */
  stop(): Promise<void>
}

/** How long a writer waits after a failure, so that an outage is not filled with failures. */
const INTERVAL_MS = 100

/** What can be referred to: answered, hence there. */
export interface Shared {
  readonly teams: Thing[]
  readonly roles: Thing[]
  /** E-mails of users by writer: nobody else changes them, so that each answer can be foretold. */
  readonly users: string[][]
  /** So that no two things are called alike. */
  count: number
}

export const createShared = (writers: number): Shared => ({
  teams: [],
  roles: [],
  users: Array.from({ length: writers }, () => []),
  count: 0,
})

/** Writes by as many clients as `shared` has users for, all at once, and tells the ledger what each of them was told. */
export function startWriters(url: string, ledger: Ledger, shared: Shared, random: () => number): Writers {
  let stopping = false
  const one = async (users: string[]) => {
    while (!stopping) {
      const settled = await perform(url, ledger, shared, next(ledger, shared, users, random))
      if (!settled && !stopping) await pause(INTERVAL_MS)
    }
  }
  const all = shared.users.map(one)
  return {
    async stop() {
      stopping = true
      await Promise.all(all)
    },
  }
}

/** False when nobody knows whether it took place. */
async function perform(url: string, ledger: Ledger, shared: Shared, write: Write): Promise<boolean> {
  const { key, method, path, body, status, after } = write
  const init = { method, ...(body && { body: JSON.stringify(body), headers: JSON_TYPE }) }
  const answer = await fetch(url + path, init)
    .then(async (response) => ({ status: response.status, text: await response.text() }))
    .catch(() => undefined)
  if (answer === undefined || answer.status === 503) {
    ledger.counts[answer ? 'unavailable' : 'cut'] += 1
    if (status < 400) ledger.unknown(key, after)
    return false
  }
  if (answer.status !== status) ledger.torn.push(`${method} ${path} got ${answer.status}: ${answer.text}`)
  else if (status >= 400) ledger.counts.refused += 1
  else {
    const told = answer.text ? JSON.parse(answer.text) : undefined
    ledger.answered(key, after, told)
    if (key.startsWith('team')) shared.teams.push(told)
    if (key.startsWith('role')) shared.roles.push(told)
  }
  return true
}

const JSON_TYPE = { 'content-type': 'application/json' }

function next(ledger: Ledger, shared: Shared, users: string[], random: () => number): Write {
  shared.count += 1
  const n = shared.count
  const name = `number ${n}`
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]
  const team = pick(shared.teams)
  const role = pick(shared.roles)
  const user = ledger.sure(`user ${pick(users)}`)
  const chance = random()

  if (team && user && chance < 0.3) {
    const body = { name, team_id: team.id }
    return { ...onUser(user, 'PATCH', '', { ...user, name, team }), body }
  }
  if (role && user && chance < 0.5) {
    const others = (user.roles as Thing[]).filter(({ id }) => id !== role.id)
    const roles = [...others, role].sort((a, b) => (a.id < b.id ? -1 : 1))
    return onUser(user, 'POST', `/roles/${role.id}`, { ...user, roles })
  }
  // Refused, each after a part of it could have been written.
  if (user && chance < 0.53) return { ...onUser(user, 'PATCH', ''), body: { name, team_id: TeamId.example } }
  if (user && chance < 0.56) return onUser(user, 'POST', `/roles/${RoleId.example}`)
  if (user && chance < 0.58) return { ...onUser(user, 'DELETE', '', undefined), status: 204 }
  if (!user || chance < 0.63) {
    const email = `person-${n}@example.com`
    users.push(email)
    return {
      ...creation('users', `user ${email}`, { email, name }, { team: team ?? null, roles: [] }),
      body: { email, name, password: 'x', team_id: team?.id ?? null },
    }
  }
  if (role && chance < 0.65) return { ...creation('roles', 'none', { name: role.name }), status: 400 }
  if (chance < 0.75) return creation('roles', `role ${name}`, { name, description: `described as ${name}` })
  return creation('teams', `team ${name}`, { name })
}

const creation = (list: string, key: string, body: Record<string, unknown>, more = {}): Write => ({
  key,
  method: 'POST',
  path: `/${list}`,
  body,
  status: 201,
  after: { id: ANY_ID, ...body, ...more },
})

/** Without `after` it is refused. */
const onUser = (user: Thing, method: string, path: string, ...after: State[]): Write => ({
  key: `user ${user.email}`,
  method,
  path: `/users/${user.id}${path}`,
  status: after.length > 0 ? 200 : 404,
  after: after[0],
})

import { setTimeout as pause } from 'node:timers/promises'
import type { Requests } from './requests.ts'

const SHARED_USERS = 16

/**
 * Clients stop using a user after this number of writes without a response.
 * Each such write may or may not have taken place, which doubles the number of
 * possible histories to check.
 */
const MAX_UNCERTAIN = 5

const PAUSE_MS = 25

export interface Population {
  users: { readonly id: string; uncertain: number }[]
  deleted: string[]
  teams: string[]
  roles: string[]
  emails: string[]
  count: number
}

export const createPopulation = (
  teams: string[],
  roles: string[],
): Population => ({
  users: [],
  deleted: [],
  teams: teams.slice(0, 4),
  roles: roles.slice(0, 4),
  emails: [],
  count: 0,
})

/** Keeps 8 values, so that clients often choose the same value. */
const remember = (values: readonly string[], value: string) =>
  [value, ...values].slice(0, 8)

export async function work(
  population: Population,
  requests: Requests,
  random: () => number,
): Promise<void> {
  population.count += 1
  const name = `name ${population.count}`
  const pick = <T>(values: readonly T[]): T | undefined =>
    values[Math.floor(random() * values.length)]
  const team = pick(population.teams) as string
  const role = pick(population.roles) as string
  const user = pick(population.users)
  const id = random() < 0.05 ? pick(population.deleted) : user?.id
  const isPaged = random() < 0.5
  const chance = random()

  if (chance < 0.03 || population.users.length < SHARED_USERS) {
    const email =
      (random() < 0.3 && pick(population.emails)) ||
      `${name.replace(' ', '-')}@example.com`
    population.emails = remember(population.emails, email)
    const teamId = random() < 0.5 ? team : null
    const { status, id } = await requests.createUser(email, name, teamId)
    if (status === 201 && id) population.users.push({ id, uncertain: 0 })
  } else if (chance < 0.05) {
    const { id } = await requests.createTeam(name)
    if (id) population.teams = remember(population.teams, id)
  } else if (chance < 0.09) await requests.walk('users')
  else if (chance < 0.11) await requests.walk('users', { isPaged: true })
  else if (chance < 0.14) await requests.walk('users', { team, isPaged })
  else if (chance < 0.15)
    await requests.walk(random() < 0.5 ? 'teams' : 'roles', { isPaged })
  else if (chance < 0.2) await requests.read('teams', team)
  else if (id !== undefined && chance < 0.55) {
    const { status } = await write(requests, id, random(), name, team, role)
    if (status === undefined && user?.id === id) user.uncertain += 1
    if (status === 204) population.deleted = remember(population.deleted, id)
    if (status === 204 || (user?.uncertain ?? 0) >= MAX_UNCERTAIN)
      population.users = population.users.filter((other) => other.id !== id)
    if (random() < 0.5) await requests.read('users', id)
  } else if (id !== undefined) await requests.read('users', id)
  await pause(random() * PAUSE_MS)
}

function write(
  requests: Requests,
  id: string,
  chance: number,
  name: string,
  team_id: string,
  role: string,
) {
  if (chance < 0.08) return requests.deleteUser(id)
  if (chance < 0.3) return requests.assignRole(id, role)
  if (chance < 0.5) return requests.changeUser(id, { team_id })
  return requests.changeUser(id, chance < 0.8 ? { name } : { name, team_id })
}

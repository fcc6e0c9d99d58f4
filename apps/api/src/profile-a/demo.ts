import type { Kysely } from 'kysely'
import { createUuidv7, type IdType } from 'typed-id'
import { RoleId, TeamId, UserId } from '../ids.ts'
import { normalizeEmail } from './email-address.ts'
import type { Tables } from './store/tables.ts'

/**
 * The argon2id hash of `correct horse battery staple`, which all users share.
 */
const PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$O93QoKwxCOn8NvmY0kU3PQ$5eTHmMLwrjdy1InCNeI1/6ghlXeYS0wYotZWln+i0dU'

const TEAMS =
  'Platform Payments Search Mobile Data Security Design Support Sales Finance Legal People'.split(
    ' ',
  )
const ROLES = 'admin editor viewer billing on-call guest'.split(' ')
const FIRST_NAMES =
  'Ada Alan Amara Anders Beatriz Carlos Chiara Dmitri Edsger Elif Emeka Fatima Grace Hana Hiroshi Ines Ivan Jonas Katya Lin'
const LAST_NAMES =
  'Lovelace Turing Okafor Lindqvist Moreira Mendoza Rossi Volkov Dijkstra Demir Nwosu Haddad Hopper Kim Tanaka Duarte Petrov Weber Orlova Chen'
const USERS = 200

/**
 * Stores 12 teams, 6 roles and 200 users, the same rows each time, if the
 * database has no team, role or user. Nine of ten users have a team, and each
 * user has up to three roles. Returns whether the rows were stored.
 */
export function storeDemo(db: Kysely<Tables>): Promise<boolean> {
  const { teams, roles, users, user_roles } = createRows()
  return db.transaction().execute(async (tx) => {
    for (const table of ['teams', 'roles', 'users'] as const) {
      const [row] = await tx.selectFrom(table).select('id').limit(1).execute()
      if (row) return false
    }
    await tx.insertInto('teams').values(teams).execute()
    await tx.insertInto('roles').values(roles).execute()
    await tx.insertInto('users').values(users).execute()
    await tx.insertInto('user_roles').values(user_roles).execute()
    return true
  })
}

function createRows() {
  // Starts a day after the example ids of the OpenAPI document, so that these
  // are the first ids of each list.
  let time = Date.UTC(2024, 5, 15)
  const uuid = createUuidv7({ now: () => (time += 3_600_000), random })
  /**
   * Generates ids. The first id of each type is the example in the OpenAPI
   * document.
   */
  const idsOf = <P extends string>(type: IdType<P>, count: number) =>
    Array.from({ length: count }, (_, n) =>
      n === 0 ? type.example : type.fromUuid(uuid()),
    )

  const roleIds = idsOf(RoleId, ROLES.length)
  const roles = ROLES.map((name, n) => ({
    id: pick(roleIds, n),
    name,
    description: null,
  }))
  const [firstNames, lastNames] = [
    FIRST_NAMES.split(' '),
    LAST_NAMES.split(' '),
  ]
  const teamIds = idsOf(TeamId, TEAMS.length)
  const teams = TEAMS.map((name, n) => ({ id: pick(teamIds, n), name }))
  const users = idsOf(UserId, USERS).map((id, n) => {
    const [first, last] = [
      pick(firstNames, n),
      pick(lastNames, n + Math.floor(n / firstNames.length)),
    ]
    const email = `${first}.${last}@example.com`.toLowerCase()
    return {
      id,
      email,
      normalized_email: normalizeEmail(email),
      name: `${first} ${last}`,
      password_hash: PASSWORD_HASH,
      team_id: n % 10 === 9 ? null : pick(teamIds, n),
    }
  })
  const user_roles = users.flatMap(({ id }, n) =>
    Array.from({ length: n % 4 }, (_, r) => ({
      user_id: id,
      role_id: pick(roleIds, n + r),
    })),
  )
  return { teams, roles, users, user_roles }
}

/** Fills bytes with the same numbers in each process (Park and Miller, 1988). */
function random(bytes: Uint8Array): void {
  let state = 1
  for (let n = 0; n < bytes.length; n += 1) {
    state = (state * 48_271) % 0x7fff_ffff
    bytes[n] = state
  }
}

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T

import type { Kysely } from 'kysely'
import { createUuidv7, type IdType } from 'typed-id'
import { RoleId, TeamId, UserId } from '../ids.ts'
import { normalizeEmail } from './email-address.ts'
import type { Tables } from './store/tables.ts'

/** The argon2id hash of `correct horse battery staple`. */
const PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$O93QoKwxCOn8NvmY0kU3PQ$5eTHmMLwrjdy1InCNeI1/6ghlXeYS0wYotZWln+i0dU'

const words = (text: string) => text.split(' ')
const TEAMS = words(
  'Platform Payments Search Mobile Data Security Design Support Sales Finance Legal People',
)
const ROLES = words('admin editor viewer billing on-call guest')
const FIRST_NAMES = words(
  'Ada Alan Amara Anders Beatriz Carlos Chiara Dmitri Edsger Elif Emeka Fatima Grace Hana Hiroshi Ines Ivan Jonas Katya Lin',
)
const LAST_NAMES = words(
  'Lovelace Turing Okafor Lindqvist Moreira Mendoza Rossi Volkov Dijkstra Demir Nwosu Haddad Hopper Kim Tanaka Duarte Petrov Weber Orlova Chen',
)
const USERS = 200

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
  let time = Date.UTC(2024, 5, 15)
  const uuid = createUuidv7({
    now: () => (time += 3_600_000),
    random: (bytes) => bytes.set(bytes.map((_, n) => 71 * n + 37)),
  })
  const withIds = <P extends string, Row>(type: IdType<P>, rows: Row[]) =>
    rows.map((row, n) => ({
      id: n === 0 ? type.example : type.fromUuid(uuid()),
      ...row,
    }))

  const roleRows = ROLES.map((name) => ({ name, description: null }))
  const roles = withIds(RoleId, roleRows)
  const teamRows = TEAMS.map((name) => ({ name }))
  const teams = withIds(TeamId, teamRows)
  const userRows = Array.from({ length: USERS }, (_, n) => {
    const first = pick(FIRST_NAMES, n)
    const last = pick(LAST_NAMES, n + Math.floor(n / FIRST_NAMES.length))
    const email = `${first}.${last}@example.com`.toLowerCase()
    return {
      email,
      normalized_email: normalizeEmail(email),
      name: `${first} ${last}`,
      password_hash: PASSWORD_HASH,
      team_id: n % 10 === 9 ? null : pick(teams, n).id,
    }
  })
  const users = withIds(UserId, userRows)
  const user_roles = users.flatMap(({ id }, n) =>
    Array.from({ length: n % 4 }, (_, r) => ({
      user_id: id,
      role_id: pick(roles, n + r).id,
    })),
  )
  return { teams, roles, users, user_roles }
}

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T

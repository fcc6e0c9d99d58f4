import type { IdType, TypedId } from 'typed-id'
import type { Database } from '../../src/database/database.ts'
import { insertSamples } from '../../src/database/samples.ts'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'
import type { Tables } from '../../src/profile-a/store/schema.ts'

const TEAMS = 50
const ROLES = 20

/** Text that an engine, a driver or a checksum could change. */
const UNUSUAL_TEXTS = [
  "O'Hara",
  '"quoted"',
  'back\\slash',
  'two\nlines',
  '\ttab',
  'Zoë',
  'Zoe\u0308',
  '李小龍',
  '👩‍👩‍👧',
  ' ',
  '%_$1?',
]

type Population = { [Name in keyof Tables]: Tables[Name][] }

/** Returns rows of every table, parents first: users with up to three roles each, most of them in a team. */
export function populationOf(
  users: number,
  newId: <P extends string>(type: IdType<P>) => TypedId<P>,
): Population {
  const teams = rows(Math.min(TEAMS, users), (n) => ({ id: newId(TeamId), name: `Team ${unusual(n)} ${n}` }))
  const roles = rows(Math.min(ROLES, users), (n) => ({
    id: newId(RoleId),
    name: `${unusual(n)} ${n}`,
    description: n % 3 === 0 ? null : unusual(n),
  }))
  const people = rows(users, (n) => userOf(n, newId(UserId), teams))
  const user_roles = people.flatMap(({ id }, n) =>
    rows(n % 4, (role) => ({ user_id: id, role_id: roles[(n + role) % roles.length]?.id as RoleId })),
  )
  return { teams, roles, users: people, user_roles }
}

/** Fills an empty database. */
export const populate = (db: Database, users: number): Promise<void> =>
  insertSamples(db, [populationOf(users, (type) => type.generate())], { empty: [] })

const userOf = (n: number, id: UserId, teams: readonly { id: TeamId }[]): Tables['users'] => ({
  id,
  email: `${n % 2 === 0 ? 'Person' : 'person'}-${n}@example.com`,
  normalized_email: `person-${n}@example.com`,
  name: `${unusual(n)} ${n}`,
  password_hash: `$argon2id$v=19$m=19456,t=2,p=1$${n}`,
  team_id: n % 7 === 0 ? null : (teams[n % teams.length]?.id ?? null),
})

const unusual = (n: number) => UNUSUAL_TEXTS[n % UNUSUAL_TEXTS.length] as string

const rows = <T>(count: number, create: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => create(n))

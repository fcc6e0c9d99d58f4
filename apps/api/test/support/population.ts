import type { Database } from '../../src/database/database.ts'
import type { RoleId, TeamId } from '../../src/ids.ts'
import { createRole } from '../../src/profile-a/store/roles.ts'
import { createTeam } from '../../src/profile-a/store/teams.ts'
import { assignRole, createUser } from '../../src/profile-a/store/users.ts'

const TEAMS = 50
const ROLES = 20

/** Users made in one transaction. */
const BATCH = 1000

/** What a text can hold that an engine, a driver or a checksum could get wrong. */
const ODD = [
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

/** Fills an empty database with users, each with up to three roles and most of them in a team. */
export async function populate(db: Database, users: number): Promise<void> {
  const teams = await many(TEAMS, (n) => db.write((tx) => createTeam(tx, { name: `Team ${odd(n)} ${n}` })))
  const roles = await many(ROLES, (n) =>
    db.write((tx) => createRole(tx, { name: `${odd(n)} ${n}`, description: n % 3 === 0 ? null : odd(n) })),
  )
  for (let first = 0; first < users; first += BATCH) {
    await db.write(async (tx) => {
      for (let n = first; n < Math.min(first + BATCH, users); n += 1) {
        const team = n % 7 === 0 ? undefined : teams[n % TEAMS]
        const id = await createUser(tx, {
          email: `${n % 2 === 0 ? 'Person' : 'person'}-${n}@example.com`,
          name: `${odd(n)} ${n}`,
          password_hash: `$argon2id$v=19$m=19456,t=2,p=1$${n}`,
          team_id: (team?.id as TeamId | undefined) ?? null,
        })
        for (let k = 0; k < n % 4; k += 1) await assignRole(tx, id, roles[(n + k) % ROLES]?.id as RoleId)
      }
    })
  }
}

const odd = (n: number) => ODD[n % ODD.length] as string

const many = <T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)))

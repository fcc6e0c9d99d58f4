import type { Database } from '../../src/database/database.ts'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'

const TEAMS = 50
const ROLES = 20

/** Rows in one INSERT. */
const BATCH = 1000

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

/** Fills an empty database with users, each with up to three roles and most of them in a team. */
export async function populate(db: Database, users: number): Promise<void> {
  const teams = rows(TEAMS, (n) => ({ id: TeamId.generate(), name: `Team ${unusual(n)} ${n}` }))
  const roles = rows(ROLES, (n) => ({
    id: RoleId.generate(),
    name: `${unusual(n)} ${n}`,
    description: n % 3 === 0 ? null : unusual(n),
  }))
  await db.exclusively(async (tx) => {
    await tx.insertInto('teams').values(teams).execute()
    await tx.insertInto('roles').values(roles).execute()
    for (let first = 0; first < users; first += BATCH) {
      const batch = rows(Math.min(BATCH, users - first), (k) => userOf(first + k, teams))
      await tx.insertInto('users').values(batch).execute()
      const assignments = batch.flatMap(({ id }, k) =>
        rows((first + k) % 4, (role) => ({ user_id: id, role_id: roles[(first + k + role) % ROLES]?.id })),
      )
      if (assignments.length > 0) await tx.insertInto('user_roles').values(assignments).execute()
    }
  })
}

const userOf = (n: number, teams: readonly { id: TeamId }[]) => ({
  id: UserId.generate(),
  email: `${n % 2 === 0 ? 'Person' : 'person'}-${n}@example.com`,
  normalized_email: `person-${n}@example.com`,
  name: `${unusual(n)} ${n}`,
  password_hash: `$argon2id$v=19$m=19456,t=2,p=1$${n}`,
  team_id: n % 7 === 0 ? null : (teams[n % TEAMS]?.id ?? null),
})

const unusual = (n: number) => UNUSUAL_TEXTS[n % UNUSUAL_TEXTS.length] as string

const rows = <T>(count: number, create: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => create(n))

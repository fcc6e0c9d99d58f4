import type { Kysely } from 'kysely'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'

/** Stores 6 roles, a team for each 100 users, and users with 0 to 3 roles each, nine of ten of them in a team. */
// biome-ignore lint/suspicious/noExplicitAny: inserts into tables by name.
export async function populate(db: Kysely<any>, count: number): Promise<void> {
  const roles = RoleId.generateMany(6).map((id, n) => ({ id, name: `role ${n}`, description: null }))
  const teams = TeamId.generateMany(Math.ceil(count / 100)).map((id, n) => ({ id, name: `team ${n}` }))
  const users = UserId.generateMany(count).map((id, n) => ({
    id,
    email: `user-${n}@example.com`,
    normalized_email: `user-${n}@example.com`,
    name: `user ${n}`,
    password_hash: 'x',
    team_id: n % 10 === 9 ? null : teams[n % teams.length]?.id,
  }))
  const user_roles = users.flatMap(({ id }, n) =>
    Array.from({ length: n % 4 }, (_, r) => ({ user_id: id, role_id: roles[(n + r) % 6]?.id })),
  )
  await db.transaction().execute(async (tx) => {
    // The engines limit the number of parameters of a statement.
    for (const [table, rows] of Object.entries({ teams, roles, users, user_roles }))
      for (let first = 0; first < rows.length; first += 1000)
        await tx
          .insertInto(table)
          .values(rows.slice(first, first + 1000))
          .execute()
  })
}

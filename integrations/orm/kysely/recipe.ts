import type { Insertable, Kysely } from 'kysely'
import { type IdColumn, idCheck } from 'typed-id/kysely'
import { TeamId, UserId } from '../ids.ts'

export interface Tables {
  teams: { id: IdColumn<typeof TeamId>; name: string }
  users: { id: IdColumn<typeof UserId>; name: string; team_id: TeamId | null }
}

export async function createTables(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('teams')
    .addColumn('id', 'text', (c) =>
      c
        .primaryKey()
        .notNull()
        .check(idCheck(TeamId, 'id', 'sqlite')),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (c) =>
      c
        .primaryKey()
        .notNull()
        .check(idCheck(UserId, 'id', 'sqlite')),
    )
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('team_id', 'text', (c) => c.references('teams.id'))
    .execute()
}

export function createUser(db: Kysely<Tables>, user: Omit<Insertable<Tables['users']>, 'id'>) {
  return db
    .insertInto('users')
    .values({ id: UserId.generate(), ...user })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns a page in the order of creation. Version 7 ids sort by creation time, so the primary key is the cursor. */
export function listUsers(db: Kysely<Tables>, limit: number, after?: UserId) {
  const query = db.selectFrom('users').selectAll().orderBy('id').limit(limit)
  return (after ? query.where('id', '>', after) : query).execute()
}

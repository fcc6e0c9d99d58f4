import type { Kysely } from 'kysely'
import type { Db } from '../../database/database.ts'
import { type TeamId, UserId } from '../../ids.ts'
import { andThen, type MaybePromise } from '../../maybe-promise.ts'
import { query, type Tables } from './schema.ts'

const insertUser = query((db, p: { id: UserId; name: string; email: string; team_id: TeamId | null }) =>
  db.insertInto('users').values({ id: p.id, name: p.name, email: p.email, team_id: p.team_id }),
)

const removeUser = query((db, p: { id: UserId }) =>
  db.deleteFrom('users').where('id', '=', p.id).returning('id'),
)

const users = (db: Kysely<Tables>) => db.selectFrom('users').select(['id', 'name', 'email', 'team_id'])

const selectUser = query((db, p: { id: UserId }) => users(db).where('id', '=', p.id), { key: 'id' })

/** Users in creation order, which is the order of their ids. '' sorts before the first id. */
export const listUsers = query((db, p: { after: UserId | ''; limit: number }) =>
  users(db)
    // biome-ignore lint/plugin: '' is not in the type of the column.
    .where('id', '>', p.after as UserId)
    .orderBy('id')
    .limit(p.limit),
)

export async function findUser(db: Db, id: UserId) {
  const [user] = await selectUser(db, { id })
  return user
}

/** Throws a ConstraintError `users_team_id_fkey` when the team does not exist. */
export function createUser(db: Db, input: { name: string; email: string; team_id: TeamId | null }) {
  const user = { id: UserId.generate(), name: input.name, email: input.email, team_id: input.team_id }
  return andThen(insertUser(db, user), () => user)
}

/** Deletes a user. Returns false when the user does not exist. */
export const deleteUser = (db: Db, id: UserId): MaybePromise<boolean> =>
  andThen(removeUser(db, { id }), (rows) => rows.length > 0)

import { columnsFor } from '../../database/columns.ts'
import type { Db } from '../../database/database.ts'
import { andThen, andThenBoth, type MaybePromise } from '../../database/maybe-promise.ts'
import { setPresent } from '../../database/present.ts'
import { readBack } from '../../database/query.ts'
import { type RoleId, type TeamId, UserId } from '../../ids.ts'
import { normalizeEmail } from './email-address.ts'
import { query, type Tables } from './schema.ts'
import { findTeam } from './teams.ts'

const insertUser = query((db, p: Tables['users']) =>
  db.insertInto('users').values({
    id: p.id,
    email: p.email,
    normalized_email: p.normalized_email,
    name: p.name,
    password_hash: p.password_hash,
    team_id: p.team_id,
  }),
)

/** The fields of a user that a request may change. An absent field keeps its value. */
type UserChange = {
  readonly name?: string | undefined
  readonly team_id?: TeamId | null | undefined
}

const updateUserFields = query((db, p: UserChange & { id: UserId }) =>
  db
    .updateTable('users')
    .set((eb) => setPresent(eb, { name: p.name, team_id: p.team_id }))
    .where('id', '=', p.id)
    .returning('id'),
)

const removeUser = query((db, p: { id: UserId }) =>
  db.deleteFrom('users').where('id', '=', p.id).returning('id'),
)

/**
 * Inserts nothing when the user or the role does not exist, or when the user has the role. Locks the user as an update
 * does: otherwise the responses to two overlapping writes of one user would each lack the result of the other write.
 */
const insertUserRole = query((db, p: { user_id: UserId; role_id: RoleId }) =>
  db
    .insertInto('user_roles')
    .columns(['user_id', 'role_id'])
    .expression((eb) =>
      eb
        .selectFrom(['users', 'roles'])
        .select(['users.id', 'roles.id as role_id'])
        .where('users.id', '=', p.user_id)
        .where('roles.id', '=', p.role_id)
        .modifyEnd(columnsFor(db).lockRows('users')),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/**
 * Creates a user without roles. Throws a ConstraintError: `users_normalized_email_key` when the e-mail is taken,
 * `users_team_id_fkey` when the team does not exist.
 */
export function createUser(db: Db, input: Omit<Tables['users'], 'id' | 'normalized_email'>) {
  const { email, name, team_id } = input
  const id = UserId.generate()
  const inserted = insertUser(db, { id, normalized_email: normalizeEmail(email), ...input })
  const team = team_id === null ? null : readBack(findTeam, db, team_id)
  return andThenBoth(inserted, team, (_, team) => ({ id, email, name, team, roles: [] }))
}

/**
 * Sets the fields that are present. Returns false when the user does not exist. Throws a ConstraintError
 * `users_team_id_fkey` when the team does not exist.
 */
export const updateUser = (db: Db, id: UserId, change: UserChange): MaybePromise<boolean> =>
  andThen(updateUserFields(db, { id, ...change }), (rows) => rows.length > 0)

/** Deletes a user and its role assignments. Returns false when the user does not exist. */
export const deleteUser = (db: Db, id: UserId): MaybePromise<boolean> =>
  andThen(removeUser(db, { id }), (rows) => rows.length > 0)

/** Assigns a role. Changes nothing when the user has the role already, or when the user or the role does not exist. */
export const assignRole = (db: Db, user_id: UserId, role_id: RoleId): MaybePromise<unknown> =>
  insertUserRole(db, { user_id, role_id })

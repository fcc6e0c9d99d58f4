import { describe, expect } from 'vitest'
import { constraintOf } from '../../src/database/driver-errors.ts'
import type { OpenDatabase } from '../../src/database/open.ts'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'
import { test } from '../support/http-fixture.ts'

type Db = OpenDatabase['db']

const insertTeam = (db: Db, id: TeamId) =>
  db.insertInto('teams').values({ id, name: 'Engineering' }).execute()
const insertRole = (db: Db, id: RoleId) =>
  db
    .insertInto('roles')
    .values({ id, name: 'admin', description: null })
    .execute()
const insertUser = (
  db: Db,
  id: UserId,
  email: string,
  team_id: TeamId | null = null,
) =>
  db
    .insertInto('users')
    .values({
      id,
      email,
      normalized_email: email,
      name: 'Ada',
      password_hash: 'x',
      team_id,
    })
    .execute()
const moveUser = (db: Db, id: UserId, team_id: TeamId) =>
  db
    .updateTable('users')
    .set({ name: 'Moved', team_id })
    .where('id', '=', id)
    .execute()
const insertUserRole = (db: Db, user_id: UserId, role_id: RoleId) =>
  db.insertInto('user_roles').values({ user_id, role_id }).execute()

describe('a violated constraint has the same name on every engine', () => {
  const team = TeamId.generate()
  const role = RoleId.generate()
  const user = UserId.generate()

  const cases: [name: string, statement: (db: Db) => Promise<unknown>][] = [
    ['teams_pkey', (db) => insertTeam(db, team)],
    ['roles_name_key', (db) => insertRole(db, RoleId.generate())],
    [
      'users_normalized_email_key',
      (db) => insertUser(db, UserId.generate(), 'ada@example.com'),
    ],
    [
      'users_team_id_fkey',
      (db) =>
        insertUser(
          db,
          UserId.generate(),
          'grace@example.com',
          TeamId.generate(),
        ),
    ],
    ['users_team_id_fkey', (db) => moveUser(db, user, TeamId.generate())],
    [
      'user_roles_user_id_fkey',
      (db) => insertUserRole(db, UserId.generate(), role),
    ],
    [
      'user_roles_role_id_fkey',
      (db) => insertUserRole(db, user, RoleId.generate()),
    ],
    [
      'users_team_id_fkey',
      async (db) => {
        await moveUser(db, user, team)
        await db.deleteFrom('teams').where('id', '=', team).execute()
      },
    ],
  ]

  for (const [n, [name, statement]] of cases.entries())
    for (const where of ['alone', 'in a transaction'] as const)
      test(`${name} (${n + 1}, ${where})`, async ({ service: { db } }) => {
        await insertTeam(db, team)
        await insertRole(db, role)
        await insertUser(db, user, 'ada@example.com')
        const running =
          where === 'alone'
            ? statement(db)
            : db.transaction().execute(statement)
        expect(constraintOf(await running.catch((error) => error))).toBe(name)
      })
})

test('the database rejects an id of another type, whatever the service sends', async ({
  service: { db },
}) => {
  await expect(insertTeam(db, UserId.generate() as never)).rejects.toThrow(
    /check constraint/i,
  )
})

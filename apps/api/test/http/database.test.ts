import { describe, expect } from 'vitest'
import type { Database, Db } from '../../src/database/database.ts'
import { ConstraintError } from '../../src/database/errors.ts'
import { queriesOn } from '../../src/database/query.ts'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'
import type { Tables } from '../../src/profile-a/store/schema.ts'
import { test } from '../support/http-fixture.ts'

const query = queriesOn<Tables>()

const insertTeam = query((db, p: { id: TeamId; name: string }) =>
  db.insertInto('teams').values({ id: p.id, name: p.name }),
)
const insertRole = query((db, p: { id: RoleId; name: string }) =>
  db.insertInto('roles').values({ id: p.id, name: p.name, description: null }),
)
const insertUser = query((db, p: { id: UserId; normalized_email: string; team_id: TeamId | null }) =>
  db.insertInto('users').values({
    id: p.id,
    email: p.normalized_email,
    normalized_email: p.normalized_email,
    name: 'Ada',
    password_hash: 'x',
    team_id: p.team_id,
  }),
)
const moveUser = query((db, p: { id: UserId; team_id: TeamId }) =>
  db.updateTable('users').set({ team_id: p.team_id }).where('id', '=', p.id),
)
const deleteTeam = query((db, p: { id: TeamId }) => db.deleteFrom('teams').where('id', '=', p.id))
const insertUserRole = query((db, p: { user_id: UserId; role_id: RoleId }) =>
  db.insertInto('user_roles').values({ user_id: p.user_id, role_id: p.role_id }),
)

const countTeams = (db: Database) =>
  db.readSnapshot(async (tx) => (await tx.selectFrom('teams').select('id').execute()).length)

describe('a write', () => {
  test('has a builder that cannot run a query outside of it', async ({ service: { db } }) => {
    await expect(db.compiler.selectFrom('teams').selectAll().execute()).rejects.toThrow(
      'only compiles queries',
    )
  })

  test('that fails stores nothing of its statements', async ({ service: { db } }) => {
    const id = TeamId.generate()
    const insert = (tx: Db) => insertTeam(tx, { id, name: 'one' })
    await expect(db.writeAll((tx) => [insert(tx), insert(tx)])).rejects.toThrow(ConstraintError)
    expect(await countTeams(db)).toBe(0)
  })
})

describe('a violated constraint has the same name on every engine', () => {
  const team = TeamId.generate()
  const role = RoleId.generate()
  const user = UserId.generate()
  const prepare = (tx: Db) => [
    insertTeam(tx, { id: team, name: 'Engineering' }),
    insertRole(tx, { id: role, name: 'admin' }),
    insertUser(tx, { id: user, normalized_email: 'ada@example.com', team_id: null }),
  ]

  const cases: [name: string, statement: (tx: Db) => unknown][] = [
    ['teams_pkey', (tx) => insertTeam(tx, { id: team, name: 'Other' })],
    ['roles_name_key', (tx) => insertRole(tx, { id: RoleId.generate(), name: 'admin' })],
    [
      'users_normalized_email_key',
      (tx) => insertUser(tx, { id: UserId.generate(), normalized_email: 'ada@example.com', team_id: null }),
    ],
    [
      'users_team_id_fkey',
      (tx) =>
        insertUser(tx, {
          id: UserId.generate(),
          normalized_email: 'grace@example.com',
          team_id: TeamId.generate(),
        }),
    ],
    ['users_team_id_fkey', (tx) => moveUser(tx, { id: user, team_id: TeamId.generate() })],
    ['user_roles_user_id_fkey', (tx) => insertUserRole(tx, { user_id: UserId.generate(), role_id: role })],
    ['user_roles_role_id_fkey', (tx) => insertUserRole(tx, { user_id: user, role_id: RoleId.generate() })],
    ['users_team_id_fkey', (tx) => [moveUser(tx, { id: user, team_id: team }), deleteTeam(tx, { id: team })]],
  ]

  for (const [n, [name, statement]] of cases.entries())
    test(`${name} (${n + 1})`, async ({ service: { db } }) => {
      await db.writeAll(prepare)
      const error = await db.writeAll((tx) => [statement(tx)].flat()).catch((error) => error)
      expect(error).toBeInstanceOf(ConstraintError)
      expect((error as ConstraintError).constraint).toBe(name)
    })
})

import { setImmediate as nextCallback } from 'node:timers/promises'
import { verify } from '@node-rs/argon2'
import { expect } from 'vitest'
import { OverloadError } from '../../src/errors.ts'
import { TeamId, UserId } from '../../src/ids.ts'
import { createPasswordHasher } from '../../src/profile-a/passwords.ts'
import {
  bodyOf201,
  insertUsers,
  newUser,
  PASSWORD,
  type Service,
  storedUser,
  test,
} from '../support/http-fixture.ts'
import { appOn, withSlowRows } from '../support/listen.ts'

const NO_USER = { status: 404, json: { detail: 'User not found' } }
const NO_TEAM = { status: 404, json: { detail: 'Team not found' } }

const register = (service: Service, fields?: Record<string, unknown>) =>
  bodyOf201(service.post('/users', newUser(fields)))

const newTeam = (service: Service) =>
  bodyOf201(service.post('/teams', { name: 'Engineering' }))

test('POST /users responds 201 with the user and its team, without the password, as GET does', async ({
  service,
}) => {
  const given = { email: 'Ada@Example.com', name: 'Ada' }
  const user = await register(service, given)
  expect(user).toEqual({ id: user.id, ...given, team: null, roles: [] })
  expect(UserId.is(user.id)).toBe(true)
  const team = await newTeam(service)
  const member = await register(service, { team_id: team.id })
  expect(member.team).toEqual(team)
  for (const json of [user, member])
    expect((await service.get(`/users/${json.id}`)).json).toEqual(json)
})

test.for([
  ['ada@example.com', 'ada@example.com'],
  ['ada@example.com', 'ADA@EXAMPLE.COM'],
  ['ada@bücher.example', 'ada@XN--BCHER-KVA.example'],
  // In lower case and NFC, the 241 characters before the @ are 722 characters,
  // which the column `normalized_email` must accept.
  [`İ${'\ufb2c'.repeat(240)}@a.example`, `İ${'\ufb2c'.repeat(240)}@A.example`],
])(
  'POST /users responds 400 for an address that is taken in other letters, and stores nothing (%s, %s)',
  async ([email, other], { service }) => {
    const first = await register(service, { email })
    expect(first.email).toBe(email)
    const user = newUser({ email: other })
    expect((await service.post('/users', user)).status).toBe(400)
    expect((await service.get('/users')).json).toEqual([first])
  },
)

test('of concurrent registrations of one address, one succeeds and the others receive 400', async ({
  service,
}) => {
  const user = newUser()
  const register = async () => (await service.post('/users', user)).status
  const statuses = await Promise.all(Array.from({ length: 20 }, register))
  expect(statuses.sort()).toEqual([201, ...Array(19).fill(400)])
  expect((await service.get('/users')).json).toHaveLength(1)
})

test('POST /users stores the password as an argon2id hash only', async ({
  service,
}) => {
  const { id } = await register(service)
  const rows = await service.db.selectFrom('users').selectAll().execute()
  expect(rows).toMatchObject([{ id }])
  const hash = String(rows[0]?.password_hash)
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verify(hash, PASSWORD)).toBe(true)
  expect(JSON.stringify(rows)).not.toContain(PASSWORD)
})

test('a password is rejected when 100 others wait to be hashed', async () => {
  const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 }
  const { hash } = createPasswordHasher(undefined, cheap)
  const hashing = Array.from({ length: 200 }, () => hash('x'))
  expect((await Promise.allSettled(hashing)).at(-1)).toEqual({
    status: 'rejected',
    reason: new OverloadError('100 passwords are waiting to be hashed'),
  })
})

test('PATCH /users/{user_id} sets the name, the team or both, nothing when they are empty, null or absent, and no other field', async ({
  service,
}) => {
  const user = await storedUser(service)
  const [team, other] = [await newTeam(service), await newTeam(service)]
  for (const [change, name, newTeam] of [
    [{ team_id: team.id }, user.name, team],
    [{ name: 'Grace' }, 'Grace', team],
    [{ name: 'Eve', team_id: other.id }, 'Eve', other],
    [{}, 'Eve', other],
    [{ name: null }, 'Eve', other],
    [{ name: '', team_id: null }, 'Eve', other],
    [{ email: 'x@example.com', password: 'x' }, 'Eve', other],
  ]) {
    const json = { ...user, name, team: newTeam }
    const response = await service.patch(`/users/${user.id}`, change)
    expect(response).toMatchObject({ status: 200, json })
    expect((await service.get(`/users/${user.id}`)).json).toEqual(json)
  }
})

test('PATCH /users/{user_id} responds 404 for an unknown team, and changes nothing, but looks up the user first', async ({
  service,
}) => {
  const user = await storedUser(service)
  const change = { name: 'Grace', team_id: TeamId.generate() }
  const patch = (id: string) => service.patch(`/users/${id}`, change)
  expect(await patch(user.id)).toMatchObject(NO_TEAM)
  expect((await service.get(`/users/${user.id}`)).json).toEqual(user)
  expect(await patch(UserId.generate())).toMatchObject(NO_USER)
})

test('DELETE /users/{user_id} responds 204 without a body, and removes the user, its address and its role assignments', async ({
  service,
}) => {
  const role = await bodyOf201(service.post('/roles', { name: 'admin' }))
  const { id, email } = await register(service)
  await service.post(`/users/${id}/roles/${role.id}`)
  const response = await service.delete(`/users/${id}`)
  expect(response).toMatchObject({ status: 204, text: '' })
  expect(response.headers.get('content-type')).toBeNull()
  expect(await service.get(`/users/${id}`)).toMatchObject(NO_USER)
  expect((await service.get('/users')).json).toEqual([])
  const rows = await service.db.selectFrom('user_roles').selectAll().execute()
  expect(rows).toEqual([])
  await register(service, { email })
})

test('users that are read in one turn of the event loop share statements for 128 users', async ({
  service,
  database,
}) => {
  const ids = await insertUsers(service.db, 130)
  let statements = 0
  const counted = withSlowRows(database, async () => {
    statements += 1
  })
  const { app } = appOn(counted)
  async function read(id: UserId) {
    await nextCallback() // a server receives each request in its own callback
    return (await app.request(`/users/${id}`)).json()
  }
  const users = ids.map((id) => ({ id }))
  expect(await Promise.all(ids.map(read))).toMatchObject(users)
  expect(statements).toBe(2)
})

import { connectForTest, databaseForTest } from 'testkit/engines.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createUserStore } from '../../src/profile-a/store/users.ts'
import { openForTest } from '../support/http-fixture.ts'
import {
  hasPgbouncer,
  type PgbouncerOptions,
  startPgbouncer,
} from './pgbouncer.ts'

const isSkipped = !hasPgbouncer()

async function pgbouncerForTest(options: PgbouncerOptions) {
  const direct = await databaseForTest('postgres')
  const pooler = await startPgbouncer(direct, options)
  onTestFinished(pooler.stop)
  return { direct, url: pooler.url }
}

describe.skipIf(isSkipped)(
  'two instances that share server connections of PgBouncer',
  () => {
    test('never run a statement of the other instance', async () => {
      const { direct, url } = await pgbouncerForTest({
        mode: 'transaction',
        serverConnections: 2,
      })
      const env = {
        DATABASE_URL: url,
        DATABASE_POOL_SIZE: '3',
        MIGRATE: 'never',
      }
      const reader = await startServiceForTest(env)
      const writer = await startServiceForTest(env)
      const observer = await connectForTest(direct)
      const { db } = await openForTest(direct)
      const create = (email: string) =>
        createUserStore(db).create({
          email,
          name: 'Victim',
          password_hash: 'x',
          team_id: null,
        })
      const [victim, other] = [
        await create('victim@example.com'),
        await create('other@example.com'),
      ]

      // Makes each instance prepare its first statement on another server
      // connection: the open transaction of `holder` occupies the first one.
      expect((await reader.get(`/users/${victim}`)).status).toBe(200)
      const holder = await connectForTest(url)
      await holder.query('begin')
      expect((await writer.delete(`/users/${other}`)).status).toBe(204)

      const { status, json } = await reader.get(`/users/${victim}`)
      await holder.query('rollback')
      const stored = await observer.query('select id from users')
      expect(stored.rows, 'the rows after a GET').toEqual([{ id: victim }])
      expect({ status, json }).toMatchObject({
        status: 200,
        json: { id: victim, name: 'Victim' },
      })
    })
  },
)

const MODES: PgbouncerOptions[] = [
  // The pools have more connections than PgBouncer, so that they share server
  // connections.
  { mode: 'transaction', serverConnections: 3 },
  { mode: 'session', serverConnections: 10 },
]

test.skipIf(isSkipped).each(MODES)(
  'eight clients of two instances read what they have written in $mode mode',
  async (options) => {
    const { url } = await pgbouncerForTest(options)
    const env = { DATABASE_URL: url, DATABASE_POOL_SIZE: '4' }
    const [one, two] = await Promise.all([
      startServiceForTest(env),
      startServiceForTest(env),
    ])
    const runClient = async (name: string) => {
      const team = (await one.post('/teams', { name })).json
      const role = (await two.post('/roles', { name })).json
      const fields = { email: `${name}@example.com`, name, team_id: team.id }
      const user = (await one.post('/users', { ...fields, password: 'x' })).json
      expect(user).toMatchObject({ name, team })
      expect(
        (await two.post('/users', { ...fields, password: 'x' })).status,
      ).toBe(400)
      const renamed = { ...user, name: `${name} é 😀`, roles: [role] }
      expect(
        (await two.post(`/users/${user.id}/roles/${role.id}`)).json.roles,
      ).toEqual([role])
      expect(
        (await one.patch(`/users/${user.id}`, { name: renamed.name })).json,
      ).toEqual(renamed)
      expect((await two.get(`/users?team_id=${team.id}`)).json).toEqual([
        renamed,
      ])
      expect((await one.delete(`/users/${user.id}`)).status).toBe(204)
      expect((await two.get(`/users/${user.id}`)).status).toBe(404)
    }
    // In the second turn, each client executes statements that other clients
    // have prepared on the same server connection.
    for (const turn of [1, 2])
      await Promise.all(
        Array.from({ length: 8 }, (_, client) =>
          runClient(`client-${client}-${turn}`),
        ),
      )
  },
)

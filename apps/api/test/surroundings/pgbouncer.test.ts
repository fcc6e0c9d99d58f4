import { type Client, jsonBody } from 'testkit/client.ts'
import { connectForTest, databaseForTest, emptyDatabaseForTest } from 'testkit/engines.ts'
import { hasPgbouncer, type PgbouncerOptions, startPgbouncer } from 'testkit/pgbouncer.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createUser } from '../../src/profile-a/store/users.ts'
import { openForTest } from '../support/http-fixture.ts'

const isSkipped = !hasPgbouncer()

async function pgbouncerForTest(options: PgbouncerOptions, database = databaseForTest('postgres')) {
  const direct = await database
  const pooler = await startPgbouncer(direct, options)
  onTestFinished(pooler.stop)
  return { direct, url: pooler.url }
}

describe.skipIf(isSkipped)('two instances that share server connections of PgBouncer', () => {
  test('never run a statement of the other instance', async () => {
    const { direct, url } = await pgbouncerForTest({ mode: 'transaction', serverConnections: 2 })
    const env = { DATABASE_URL: url, DATABASE_POOL_SIZE: '3', MIGRATE: 'never' }
    const reader = await startServiceForTest(env)
    const writer = await startServiceForTest(env)
    const observer = await connectForTest(direct)
    const { db } = await openForTest(direct)
    const create = (email: string) =>
      createUser(db, { email, name: 'Victim', password_hash: 'x', team_id: null })
    const [victim, other] = [await create('victim@example.com'), await create('other@example.com')]

    // Each instance prepares its first statement on another server connection: the transaction holds the first one.
    expect((await reader.get(`/users/${victim}`)).status).toBe(200)
    const holder = await connectForTest(url)
    await holder.query('begin')
    expect((await writer.delete(`/users/${other}`)).status).toBe(204)

    const { status, json } = await reader.get(`/users/${victim}`)
    await holder.query('rollback')
    const stored = await observer.query('select id from users')
    expect(stored.rows, 'the rows after a GET').toEqual([{ id: victim }])
    expect({ status, json }).toMatchObject({ status: 200, json: { id: victim, name: 'Victim' } })
  })
})

describe.skipIf(isSkipped)('two instances respond to mixed requests as without PgBouncer', () => {
  async function recordAt(url: string): Promise<string[]> {
    const env = { DATABASE_URL: url, DATABASE_POOL_SIZE: '4' }
    const instances = await Promise.all([startServiceForTest(env), startServiceForTest(env)])
    return (await Promise.all(Array.from({ length: CLIENTS }, (_, n) => record(instances, n)))).flat()
  }
  let expected: Promise<string[]>

  test.each<PgbouncerOptions>([
    // Fewer server connections than the pools have connections, so that they are shared.
    { mode: 'transaction', serverConnections: 3 },
    { mode: 'session', serverConnections: 10 },
  ])('in $mode mode', async (options) => {
    expected ??= recordAt(await emptyDatabaseForTest('postgres'))
    const actual = await recordAt((await pgbouncerForTest(options, emptyDatabaseForTest('postgres'))).url)
    expect(await expected).toHaveLength(CLIENTS * TURNS * REQUESTS_PER_TURN)
    expect(actual).toEqual(await expected)
  })
})

/** Ids of no record. */
const [NO_USER, NO_TEAM] = ['user', 'team'].map((prefix) => `${prefix}-0190163d-8694-739b-aea5-966c26f8ad91`)

/** One per connection of the two pools. In its second turn, each executes what another has prepared on its connection. */
const [CLIENTS, TURNS] = [8, 2]
const REQUESTS_PER_TURN = 32

type Send = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
) => Promise<{ id: string }>

/**
 * Sends mixed requests of one client, each to the next of the instances. Returns one line per request and its response,
 * with the ids replaced by their order. A client uses only its own records, so that the lines are the same in every
 * run on an empty database.
 */
async function record(instances: readonly Client[], client: number): Promise<string[]> {
  const lines: string[] = []
  const aliases = new Map<string, string>()
  const withAliases = (text: string) =>
    text.replace(/\b(?:user|team|role)-[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => {
      const alias = aliases.get(id) ?? `#${aliases.size + 1}`
      aliases.set(id, alias)
      return alias
    })
  const send: Send = async (method, path, body) => {
    const { request } = instances[(client + lines.length) % instances.length] as Client
    const { status, text, json } = await request(path, { method, ...(body !== undefined && jsonBody(body)) })
    lines.push(withAliases(`${method} ${path} ${status} ${text}`))
    return json ?? {}
  }
  for (let turn = 0; turn < TURNS; turn += 1) await runTurn(send, `client-${client}-${turn}`)
  return lines
}

async function runTurn(send: Send, name: string): Promise<void> {
  const [team, other] = [await send('POST', '/teams', { name }), await send('POST', '/teams', { name })]
  const role = await send('POST', '/roles', { name, description: `of ${name}` })
  const email = `${name}@example.com`
  const user = await send('POST', '/users', { email, name, password: 'x', team_id: team.id })
  const readAll = async () => {
    await send('GET', `/users/${user.id}`)
    await send('GET', `/users?team_id=${team.id}`)
    await send('GET', `/users?team_id=${other.id}&limit=1`)
    await send('GET', `/teams/${team.id}`)
  }
  await readAll()
  await send('PATCH', `/users/${user.id}`, { name: `${name} é 😀` })
  await readAll()
  await send('PATCH', `/users/${user.id}`, { team_id: other.id })
  await readAll()
  await send('POST', `/users/${user.id}/roles/${role.id}`)
  await send('POST', `/users/${user.id}/roles/${role.id}`)
  await readAll()
  // Rejected requests: each rolls its transaction back, or has none.
  await send('POST', '/roles', { name })
  await send('PATCH', `/users/${user.id}`, { team_id: NO_TEAM })
  await send('GET', `/users/${NO_USER}`)
  await send('GET', `/users/${team.id}`)
  await send('DELETE', `/users/${user.id}`)
  await send('DELETE', `/users/${user.id}`)
  await send('POST', `/users/${user.id}/roles/${role.id}`)
  await send('GET', `/users/${user.id}`)
}

import { freshDatabase, PERSISTENT_ENGINES } from 'testkit/engines.ts'
import { type Running, startService } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { populatedDatabase } from '../support/http-fixture.ts'

const PROCESSES = 3

describe.each(PERSISTENT_ENGINES)('three processes on one database (%s)', (engine) => {
  let services: Running[]
  let drop: () => Promise<void>

  beforeAll(async () => {
    const database = await freshDatabase(engine)
    drop = database.drop
    // Concurrently on an empty database: one process migrates it, and the others wait.
    const starts = await Promise.allSettled(
      Array.from({ length: PROCESSES }, () => startService({ DATABASE_URL: database.url })),
    )
    services = starts.flatMap((start) => (start.status === 'fulfilled' ? start.value : []))
    expect(starts.filter(({ status }) => status === 'rejected')).toEqual([])
  })

  afterAll(async () => {
    const exits = await Promise.all(services.map((service) => service.stop()))
    await drop()
    expect(exits).toEqual([0, 0, 0])
  })

  const at = (n: number) => services[n % PROCESSES] as Running
  const user = (n: number) => ({ email: `user-${n}@example.com`, name: `User ${n}`, password: 'x' })
  const statusesOf = (responses: { status: number }[]) => responses.map(({ status }) => status).sort()

  test('accept each e-mail address once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        at(n).post('/users', { ...user(0), email: `RACE-${n % 2}@example.com` }),
      ),
    )
    expect(statusesOf(responses)).toEqual([201, 201, ...Array.from({ length: 10 }, () => 400)])
    for (const service of services) {
      const { json } = await service.get('/users')
      expect(json.filter(({ email }: { email: string }) => email.startsWith('RACE'))).toHaveLength(2)
    }
  })

  test('lose no role assignment', async () => {
    const { json: ada } = await at(0).post('/users', user(1))
    const roles = await Promise.all(
      Array.from({ length: 20 }, (_, n) => at(n).post('/roles', { name: `role ${n}` })),
    )
    const assigned = await Promise.all(
      roles.flatMap(({ json: role }, n) =>
        [n, n + 1].map((k) => at(k).post(`/users/${ada.id}/roles/${role.id}`)),
      ),
    )
    expect(new Set(statusesOf(assigned))).toEqual(new Set([200]))
    for (const service of services)
      expect((await service.get(`/users/${ada.id}`)).json.roles).toHaveLength(20)
  })

  test('delete a user once, and none of them finds it afterwards', async () => {
    const { json: ada } = await at(0).post('/users', user(2))
    const responses = await Promise.all(services.map((service) => service.delete(`/users/${ada.id}`)))
    expect(statusesOf(responses)).toEqual([204, 404, 404])
    for (const service of services) expect((await service.get(`/users/${ada.id}`)).status).toBe(404)
  })

  test('list the rows of all of them, completely and in the same order', async () => {
    const responses = await Promise.all(
      Array.from({ length: 90 }, (_, n) => at(n).post('/teams', { name: `${n}` })),
    )
    expect(new Set(statusesOf(responses))).toEqual(new Set([201]))
    const ids = responses.map(({ json }) => json.id).sort()
    for (const service of services)
      expect((await service.get('/teams')).json.map(({ id }: { id: string }) => id)).toEqual(ids)
  })
})

/** Users that are changed and deleted. */
const USERS = 100

test('a process that streams a list reads what another process on the same file has acknowledged before the request', async () => {
  const { url: DATABASE_URL, drop } = await populatedDatabase('sqlite-file', 2000)
  onTestFinished(drop)
  const reader = await startServiceForTest({ DATABASE_URL })
  const writer = await startServiceForTest({ DATABASE_URL })
  const ids = (await writer.get(`/users?limit=${USERS}`)).json.map(({ id }: { id: string }) => id)
  let isRunning = true
  const list = async () => {
    while (isRunning) expect((await reader.get('/users')).status).toBe(200)
  }
  const listing = list()
  const stale: unknown[] = []
  for (const [n, id] of ids.entries()) {
    const team = (await writer.post('/teams', { name: 'Payments' })).json
    const created = await reader.get(`/teams/${team.id}`)
    await writer.patch(`/users/${id}`, { name: `changed ${n}` })
    const changed = await reader.get(`/users/${id}`)
    await writer.delete(`/users/${id}`)
    const deleted = await reader.get(`/users/${id}`)
    const seen = `${created.status} ${changed.json.name} ${deleted.status}`
    if (seen !== `200 changed ${n} 404`) stale.push(seen)
  }
  isRunning = false
  await listing
  expect(stale).toEqual([])
})

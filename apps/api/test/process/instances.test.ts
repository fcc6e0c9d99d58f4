import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, freshDatabase } from '../support/engines.ts'
import { type Running, startService } from '../support/process.ts'

const PROCESSES = 4

async function call(
  service: Running,
  method: string,
  path: string,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: tests assert what it is.
): Promise<{ status: number; json: any }> {
  const response = await fetch(service.url + path, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  })
  const text = await response.text()
  return { status: response.status, json: text && JSON.parse(text) }
}

describe.each<Engine>(['sqlite-file', 'postgres'])('four processes on one database (%s)', (engine) => {
  let services: Running[]
  let drop: () => Promise<void>

  beforeAll(async () => {
    const database = await freshDatabase(engine)
    drop = database.drop
    // All at once on an empty database: one of them migrates it, and the others wait.
    services = await Promise.all(
      Array.from({ length: PROCESSES }, () =>
        startService({ DATABASE_URL: database.url, LOG_LEVEL: 'info' }),
      ),
    )
  }, 30_000)

  afterAll(async () => {
    for (const exit of await Promise.all(services.map((service) => service.stop()))) expect(exit).toBe(0)
    await drop()
  })

  const at = (n: number) => services[n % PROCESSES] as Running
  const user = (n: number) => ({ email: `user-${n}@example.com`, name: `User ${n}`, password: 'x' })

  test('give each e-mail to one user', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        call(at(n), 'POST', '/users', { ...user(0), email: `RACE-${n % 5}@example.com` }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 201),
      ...Array.from({ length: 35 }, () => 400),
    ])
    for (const service of services) {
      const { json } = await call(service, 'GET', '/users')
      expect(json.filter(({ email }: { email: string }) => email.startsWith('RACE'))).toHaveLength(5)
    }
  })

  test('lose no role assignment', async () => {
    const { json: ada } = await call(at(0), 'POST', '/users', user(1))
    const roles = await Promise.all(
      Array.from({ length: 20 }, (_, n) => call(at(n), 'POST', '/roles', { name: `role ${n}` })),
    )
    const assigned = await Promise.all(
      roles.flatMap(({ json: role }, n) =>
        [n, n + 1].map((k) => call(at(k), 'POST', `/users/${ada.id}/roles/${role.id}`)),
      ),
    )
    expect(new Set(assigned.map(({ status }) => status))).toEqual(new Set([200]))
    for (const service of services)
      expect((await call(service, 'GET', `/users/${ada.id}`)).json.roles).toHaveLength(20)
  })

  test('see a deleted user nowhere, and delete it once', async () => {
    const { json: ada } = await call(at(0), 'POST', '/users', user(2))
    const answers = await Promise.all(services.map((service) => call(service, 'DELETE', `/users/${ada.id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404])
    for (const service of services) expect((await call(service, 'GET', `/users/${ada.id}`)).status).toBe(404)
  })

  test('list what all of them have answered, completely and in the same order', async () => {
    const created = await Promise.all(
      Array.from({ length: 200 }, (_, n) => call(at(n), 'POST', '/teams', { name: `${n}` })),
    )
    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]))
    const ids = created.map(({ json }) => json.id).sort()
    for (const service of services) {
      expect((await call(service, 'GET', '/teams')).json.map(({ id }: { id: string }) => id)).toEqual(ids)
    }
  })
})

test('WORKERS=3 serves one port with three processes, replaces one that is killed, and stops them all', async () => {
  const { url, drop } = await freshDatabase('sqlite-file')
  const service = await startService({ DATABASE_URL: url, WORKERS: '3' })
  const listening = () => service.logLines.filter((line) => line.includes('"listening"')).length
  await expect.poll(listening, { timeout: 10_000 }).toBe(3)
  const workers = new Set<number>()
  for (const line of service.logLines) workers.add(JSON.parse(line).pid)
  expect(workers.size).toBe(3)
  const [victim] = workers
  process.kill(victim as number, 'SIGKILL')
  await expect.poll(listening, { timeout: 10_000 }).toBe(4)
  const statuses = await Promise.all(Array.from({ length: 20 }, () => call(service, 'GET', '/teams')))
  expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await service.stop('SIGTERM')).toBe(0)
  await expect(fetch(service.url)).rejects.toThrow()
  await drop()
}, 30_000)

import { connectForTest, databaseForTest, freshDatabase, PERSISTENT_ENGINES } from 'testkit/engines.ts'
import { type Running, startService } from 'testkit/process.ts'
import { metricsUrl, scrape } from 'testkit/scrape.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
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

test('WORKERS=3 serves one port with three processes, replaces a killed one, and stops all of them', async () => {
  const service = await startServiceForTest({
    DATABASE_URL: await databaseForTest('postgres'),
    WORKERS: '3',
  })
  const listening = () => service.logLines.filter((line) => line.includes('"listening"')).length
  await expect.poll(listening).toBe(3)
  const workers = new Set<number>()
  for (const line of service.logLines) workers.add(JSON.parse(line).pid)
  expect(workers.size).toBe(3)
  const [victim] = workers
  process.kill(victim as number, 'SIGKILL')
  await expect.poll(listening).toBe(4)
  const responses = await Promise.all(Array.from({ length: 20 }, () => service.get('/teams')))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await service.stop('SIGTERM')).toBe(0)
  await expect(fetch(service.url)).rejects.toThrow()
})

test('running requests of workers complete after SIGTERM also where kill() gives no time to stop, as on Windows', async () => {
  const kill = `import { ChildProcess } from 'node:child_process'
    const { kill } = ChildProcess.prototype
    ChildProcess.prototype.kill = function () { return kill.call(this, 'SIGKILL') }`
  const service = await startServiceForTest({
    DATABASE_URL: await databaseForTest('postgres'),
    WORKERS: '2',
    DRAIN_MS: '500',
    // On a busy machine, the threads that hash passwords wait long, because they have a lower priority.
    STOP_TIMEOUT_MS: '150000',
    RESPONSE_TIMEOUT_MS: '150000',
    NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(kill)}"`,
  })
  const registrations = Array.from({ length: 40 }, (_, n) =>
    service.post('/users', { email: `${n}@example.com`, name: 'Ada', password: 'correct horse' }),
  )
  await Promise.race(registrations)
  expect(await service.stop('SIGTERM')).toBe(0)
  const responses = await Promise.all(registrations)
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
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

test('a worker that cannot be replaced does not end the service: the supervisor retries after growing pauses, and says so', async () => {
  const url = await databaseForTest('postgres')
  const server = await connectForTest(inject('postgresUrl'))
  const allowConnections = (allowed: boolean) =>
    server.query(`alter database ${new URL(url).pathname.slice(1)} with allow_connections ${allowed}`)
  const service = await startServiceForTest({ DATABASE_URL: url, WORKERS: '2', METRICS_PORT: '0' })
  const lines = (msg: string) =>
    service.logLines.map((line) => JSON.parse(line)).filter((line) => line.msg === msg)
  const ready = async () => {
    const response = await fetch(new URL('/readyz', metricsUrl(service)))
    return [response.status, await response.json()]
  }
  await expect.poll(ready).toEqual([200, { status: 'ready' }])

  await allowConnections(false) // new ones, as of a worker that starts
  process.kill(lines('listening')[0].pid, 'SIGKILL')
  const failures = () => lines('a worker could not start, trying again')
  await expect.poll(() => failures().length).toBeGreaterThan(1)
  expect(failures().slice(0, 2)).toMatchObject([{ retry_ms: 2000 }, { retry_ms: 4000 }])
  expect(await ready()).toEqual([503, { detail: '1 of 2 workers are running' }])
  expect((await service.get('/teams')).status).toBe(200)
  expect((await scrape(service)).sum('build_info'), 'the metrics of the other worker').toBe(1)

  await allowConnections(true)
  await expect.poll(ready).toEqual([200, { status: 'ready' }])
  expect(await service.stop()).toBe(0)
})

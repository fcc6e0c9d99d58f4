import { connectForTest, databaseForTest } from 'testkit/engines.ts'
import { metricsUrl } from 'testkit/scrape.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, inject, test } from 'vitest'

test('a worker that cannot be replaced does not end the service: the supervisor retries after growing pauses, and says so', async () => {
  const url = await databaseForTest('postgres')
  const server = await connectForTest(inject('postgresUrl'))
  const allowConnections = (allowed: boolean) =>
    server.query(`alter database ${new URL(url).pathname.slice(1)} with allow_connections ${allowed}`)
  const service = await startServiceForTest({ DATABASE_URL: url, WORKERS: '2', METRICS_PORT: '0' })
  const lines = (msg: string) =>
    service.logLines.map((line) => JSON.parse(line)).filter((line) => line.msg === msg)
  const ready = async () => (await fetch(new URL('/readyz', metricsUrl(service)))).text()
  await expect.poll(ready).toBe('{"status":"ready"}')

  await allowConnections(false) // new ones, as of a worker that starts
  process.kill(lines('listening')[0].pid, 'SIGKILL')
  const failures = () => lines('a worker could not start, trying again')
  await expect.poll(() => failures().length).toBeGreaterThan(1)
  expect(failures().slice(0, 2)).toMatchObject([{ retry_ms: 2000 }, { retry_ms: 4000 }])
  expect(await ready()).toBe('{"detail":"1 of 2 workers are running"}')
  expect((await service.get('/teams')).status).toBe(200)

  await allowConnections(true)
  await expect.poll(ready).toBe('{"status":"ready"}')
  expect(await service.stop()).toBe(0)
})

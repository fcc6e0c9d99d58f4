import { databaseForTest } from 'testkit/engines.ts'
import type { Running } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { expect, test } from 'vitest'

const CLIENTS = 2

/** Number of acknowledged writes between two steps of the restart. */
const WRITES = 20

test('a rolling restart of two instances fails no request and loses no acknowledged write', async () => {
  const DATABASE_URL = await databaseForTest('postgres')
  const start = () => startServiceForTest({ DATABASE_URL, DRAIN_MS: '500' })
  const instances = [await start(), await start()] as [Running, Running]
  /**
   * The instances that receive new requests, as a load balancer would choose
   * them.
   */
  let targets: Running[] = instances
  const acknowledged: string[] = []
  let isRunning = true
  const write = async (client: number) => {
    for (let turn = 0; isRunning; turn += 1) {
      const name = `team ${turn} of client ${client}`
      const response = await (targets[turn % targets.length] as Running).post(
        '/teams',
        { name },
      )
      expect(response.status).toBe(201)
      acknowledged.push(name)
    }
  }
  const writing = Promise.all(
    Array.from({ length: CLIENTS }, (_, client) => write(client)),
  )
  const moreWrites = async () => {
    const enough = acknowledged.length + WRITES
    await Promise.race([
      expect.poll(() => acknowledged.length).toBeGreaterThan(enough),
      writing,
    ])
  }

  await moreWrites()
  for (const n of [0, 1] as const) {
    const exited = instances[n].stop('SIGTERM')
    targets = instances.toSpliced(n, 1)
    expect(await exited).toBe(0)
    await moreWrites()
    instances[n] = await start()
    targets = instances
    await moreWrites()
  }
  isRunning = false
  await writing
  for (const instance of instances) {
    const { json } = await instance.get('/teams')
    expect(json.map(({ name }: { name: string }) => name).sort()).toEqual(
      acknowledged.toSorted(),
    )
  }
})

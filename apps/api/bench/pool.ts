/**
 * What the size of the pool does for reads and writes on PostgreSQL: `pnpm --filter api bench:pool`. Server, service
 * and clients share one machine, and the server waits for its disk.
 */

import autocannon from 'autocannon'
import { openDatabase } from '../src/database/open.ts'
import { profileA } from '../src/profile-a/index.ts'
import { databaseAt } from '../test/support/database.ts'
import { populate } from '../test/support/population.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { startService } from '../test/support/process.ts'

const SIZES = [1, 2, 5, 10, 20, 50]
const CLIENTS = 64
const SECONDS = 5

const server = await startPostgres({ flags: [] })
try {
  const db = await openDatabase(databaseAt(server.url), profileA.migrations)
  await populate(db, 10_000)
  const rows = await db.execute({ sql: 'select id from users limit 1000', name: '' }, [])
  await db.close()
  const reads = (rows as { id: string }[]).map(({ id }) => ({ path: `/users/${id}` }))
  console.log('pool   reads/s  p99 ms   writes/s  p99 ms   failed')
  for (const size of SIZES) {
    const env = { DATABASE_URL: server.url, DATABASE_POOL_SIZE: `${size}`, MIGRATE: 'never' }
    const service = await startService(env)
    const load = { url: service.url, connections: CLIENTS, duration: SECONDS }
    const read = await autocannon({ ...load, requests: reads })
    const headers = { 'content-type': 'application/json' }
    const team = { method: 'POST', path: '/teams', headers, body: '{"name":"x"}' } as const
    const write = await autocannon({ ...load, requests: [team] })
    await service.stop()
    const failed = read.non2xx + write.non2xx + read.errors + write.errors
    const figures = [
      size,
      read.requests.average,
      read.latency.p99,
      write.requests.average,
      write.latency.p99,
      failed,
    ]
    console.log(figures.map((figure) => String(Math.round(figure)).padEnd(9)).join(''))
  }
} finally {
  await server.stop()
}

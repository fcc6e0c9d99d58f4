import { join } from 'node:path'
import { defineCampaign, number, numbers } from '../kit/campaign.ts'
import { expectStatuses, runLoad } from '../kit/load.ts'
import { withScope } from '../kit/scope.ts'
import { copyInto, seed } from '../kit/seed.ts'
import { startDatabase, startService } from '../kit/service.ts'
import { round } from '../kit/statistics.ts'

const CLIENTS = 64

export const campaign = defineCampaign({
  summary: 'measures reads and writes on PostgreSQL with connection pools of different sizes',
  duration: '90 seconds',
  options: {
    sizes: numbers('DATABASE_POOL_SIZE', [1, 2, 5, 10, 20, 50]),
    users: number('users in the database', 10_000),
    seconds: number('duration of each measurement', 5),
  },
  run: ({ sizes, users, seconds }) =>
    withScope(async (scope) => {
      const database = await startDatabase(scope, 'postgres')
      const seeded = await seed(join(scope.createFolder('api-pool-'), 'seed.db'), users)
      await copyInto(database.url, seeded)
      const rows = []
      for (const size of sizes) {
        const env = { DATABASE_URL: database.url, DATABASE_POOL_SIZE: `${size}`, MIGRATE: 'never' }
        const service = await startService(scope, env)
        const figures = []
        for (const workload of ['user', 'post-team']) {
          const load = { url: service.url, workload, seeded, seconds, connections: CLIENTS }
          const result = await runLoad(scope, load)
          expectStatuses(load, result, [200, 201])
          figures.push(round(result.perSecond), `${result.p99} ms`)
        }
        await service.stop()
        rows.push([size, ...figures])
      }
      const columns = ['pool', `reads/s, ${CLIENTS} clients`, 'p99', `writes/s, ${CLIENTS} clients`, 'p99']
      return { table: { columns, rows }, failures: [] }
    }),
})

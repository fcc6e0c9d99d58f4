import { join } from 'node:path'
import { startServer } from '../bench/start-server.ts'
import { choices, defineCampaign, number, numbers } from '../kit/campaign.ts'
import { expectStatuses, runLoad } from '../kit/load.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { seed } from '../kit/seed.ts'
import { median, round } from '../kit/statistics.ts'
import { findWorkload, WORKLOADS } from '../kit/workloads.ts'

/** The figures of one workload, by the size of the database. */
interface Line {
  readonly name: string
  readonly title: string
  readonly points: { readonly users: number; readonly perSecond: number; readonly p99: number }[]
}

export const campaign = defineCampaign({
  summary: 'measures rate and latency on larger and larger SQLite databases',
  duration: '10 minutes',
  options: {
    sizes: numbers('users in the database', [2000, 20_000, 100_000, 1_000_000]),
    rounds: number('measured rounds, after one to warm up', 3),
    seconds: number('duration of each measurement', 2),
    only: choices('workloads', Object.keys(WORKLOADS), [
      ...['user', 'team', 'members', 'patch', 'post-team', 'assign'],
    ]),
  },
  async run({ sizes, rounds, seconds, only }) {
    const lines: Line[] = only.map((name) => ({ name, title: findWorkload(name).title, points: [] }))
    for (const users of sizes) await withScope((scope) => measure(scope, users, lines, { rounds, seconds }))
    const columns = ['users', ...lines.flatMap(({ title }) => [`${title}, per second`, 'p99'])]
    const rows = sizes.map((users, n) => [
      users,
      ...lines.flatMap(({ points }) => [
        round(points[n]?.perSecond ?? Number.NaN),
        `${points[n]?.p99.toFixed(1)} ms`,
      ]),
    ])
    return { table: { columns, rows }, failures: [] }
  },
})

/** Adds the figures for one size of the database to each line. */
async function measure(
  scope: Scope,
  users: number,
  lines: readonly Line[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  const seeded = await seed(join(scope.createFolder('api-growth-'), 'seed.db'), users)
  const { url } = await startServer(scope, 'ours', seeded)
  for (const { name, title, points } of lines) {
    const results = []
    for (let n = 0; n <= rounds; n += 1) {
      const isWarmUp = n === 0
      const load = { url, workload: name, seeded, round: n, seconds: isWarmUp ? 1 : seconds }
      const result = await runLoad(scope, load)
      expectStatuses(load, result, [200, 201, 422])
      if (!isWarmUp) results.push(result)
    }
    const perSecond = median(results.map((result) => result.perSecond))
    const p99 = median(results.map((result) => result.p99))
    points.push({ users, perSecond, p99 })
    const relative = (perSecond / (points[0]?.perSecond ?? perSecond)).toFixed(2)
    console.log(`${users} users, ${title}: ${round(perSecond)}/s, ${relative} of the smallest database`)
  }
}

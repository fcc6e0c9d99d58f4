import { join } from 'node:path'
import { SERVERS, type ServerName } from '../bench/servers.ts'
import { startServer } from '../bench/start-server.ts'
import { defineCampaign, number, numbers } from '../kit/campaign.ts'
import { expectStatuses, runLoad } from '../kit/load.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { type Seeded, seed } from '../kit/seed.ts'
import { median, round } from '../kit/statistics.ts'
import { findWorkload } from '../kit/workloads.ts'

const COMPARED = ['ours', 'fastify-sqlite', 'fastify-tuned'] as const satisfies ServerName[]
const WORKLOAD = 'post-team'

export const campaign = defineCampaign({
  summary: 'compares durable writes with Fastify while each flush of the disk takes longer',
  duration: '100 s',
  needs: 'strace',
  options: {
    delays: numbers('additional microseconds of each flush', [0, 100, 500, 1000, 5000]),
    rounds: number('measured rounds, after one to warm up', 3),
    seconds: number('duration of each round', 1),
    connections: number('clients', 64),
  },
  run: ({ delays, ...options }) =>
    withScope(async (scope) => {
      const seeded = await seed(join(scope.createFolder('api-slow-disk-'), 'seed.db'), 2000)
      const rows = []
      for (const delay of delays)
        rows.push(await withScope((inner) => compare(inner, seeded, delay, options)))
      const peers = COMPARED.slice(1).map((name) => `${SERVERS[name].title}: factor`)
      return {
        table: {
          columns: ['additional delay', `${findWorkload(WORKLOAD).title}, per second`, ...peers],
          rows,
        },
        failures: [],
      }
    }),
})

interface LoadOptions {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
}

/** Measures the servers in turn, and returns a row with the medians of the rates' ratios. */
async function compare(scope: Scope, seeded: Seeded, delay: number, options: LoadOptions) {
  // -D: the started process becomes the server, not strace. --seccomp-bpf: other system calls are not interrupted.
  const strace = ['strace', '-D', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null']
  strace.push('-e', 'trace=fdatasync,fsync', '-e', `inject=fdatasync,fsync:delay_enter=${delay}`)
  const servers = []
  for (const name of COMPARED) {
    const server = await startServer(scope, name, seeded, {}, delay > 0 ? strace : [])
    servers.push({ ...server, rates: [] as number[] })
  }
  for (let n = 0; n <= options.rounds; n += 1)
    for (const { url, rates } of servers) {
      const load = { ...options, url, workload: WORKLOAD, seeded, round: n }
      const result = await runLoad(scope, load)
      expectStatuses(load, result, [201])
      if (n > 0) rates.push(result.perSecond)
    }
  const [ours = [], ...peers] = servers.map(({ rates }) => rates)
  const factors = peers.map((rates) => median(rates.map((rate, n) => (ours[n] ?? Number.NaN) / rate)))
  return [`${delay / 1000} ms`, round(median(ours)), ...factors.map((factor) => `${factor.toPrecision(2)} x`)]
}

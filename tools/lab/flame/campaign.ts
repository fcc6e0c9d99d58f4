import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from 'testkit/ports.ts'
import { processorMs } from 'testkit/process-stats.ts'
import { SERVERS } from '../bench/servers.ts'
import { startServer } from '../bench/start-server.ts'
import { defineCampaign, file, number } from '../kit/campaign.ts'
import { expectStatuses, runLoad } from '../kit/load.ts'
import { describeMachine } from '../kit/machine.ts'
import type { Table } from '../kit/report.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { type Seeded, seed } from '../kit/seed.ts'
import { median } from '../kit/statistics.ts'
import { findWorkload } from '../kit/workloads.ts'
import { drawFlames, type Flame } from './draw.ts'
import { LAYER_TITLES, record, timeByLayer } from './profile.ts'

const COMPARED = ['ours', 'fastify-sqlite'] as const
const WORKLOAD = 'team'

export const campaign = defineCampaign({
  summary: 'shows where the processor time of a read goes, in this service and in Fastify',
  duration: '45 s',
  options: {
    rounds: number('measured rounds, in turn', 8),
    seconds: number('duration of each round, an eighth of the recording', 1),
    connections: number('clients', 64),
    plot: file('write the flame graphs to this SVG file'),
  },
  run: ({ plot, ...options }) =>
    withScope(async (scope) => {
      const seeded = await seed(join(scope.createFolder('api-flame-'), 'seed.db'), 2000)
      const flames = await recordAll(scope, seeded, options)
      const { title } = findWorkload(WORKLOAD)
      if (plot) writeFileSync(plot, drawFlames(title, flames, describeMachine()))
      return { table: tabulate(title, flames), failures: [] }
    }),
})

interface LoadOptions {
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
}

/** Measures the processor time of a response in turn, without the profiler, which slows a server down. Then records. */
async function recordAll(scope: Scope, seeded: Seeded, options: LoadOptions): Promise<Flame[]> {
  const servers = []
  for (const name of COMPARED) {
    const [port = 0] = await freePorts(1)
    const server = await startServer(scope, name, seeded, { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` })
    const run = async (seconds: number) => {
      const load = { ...options, url: server.url, workload: WORKLOAD, seeded, round: 0, seconds }
      const result = await runLoad(scope, load)
      expectStatuses(load, result, [200])
      return result.responses
    }
    await run(2 * options.seconds)
    servers.push({ title: SERVERS[name].title, pid: server.process.pid, port, run, times: [] as number[] })
  }
  for (let round = 0; round < options.rounds; round++) {
    for (const { pid, run, times } of servers) {
      const before = processorMs(pid)
      const responses = await run(options.seconds)
      times.push(((processorMs(pid) - before) * 1000) / responses)
    }
  }
  const flames: Flame[] = []
  for (const { title, port, run, times } of servers) {
    const root = await record(port, async () => {
      await run(8 * options.seconds)
    })
    flames.push({ title, root, microseconds: median(times) })
  }
  return flames
}

/** A row for each part, in microseconds of processor time for one response. */
function tabulate(title: string, flames: readonly Flame[]): Table {
  const times = flames.map(({ root, microseconds }) =>
    timeByLayer(root).map((us) => `${((us * microseconds) / root.us).toFixed(1)} µs`),
  )
  const total = ['total', ...flames.map(({ microseconds }) => `${microseconds.toFixed(1)} µs`)]
  const rows = LAYER_TITLES.map((layer, n) => [layer, ...times.map((column) => column[n] ?? '')])
  const columns = [title, ...flames.map((flame) => flame.title)]
  return { columns, rows: [...rows, total] }
}

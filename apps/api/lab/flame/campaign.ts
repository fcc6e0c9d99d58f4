import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from '../../test/support/ports.ts'
import { SERVERS } from '../bench/servers.ts'
import { startServer } from '../bench/start-server.ts'
import { defineCampaign, file, number } from '../kit/campaign.ts'
import { expectStatuses, runLoad } from '../kit/load.ts'
import { describeMachine, describeMeasurement, processorMs } from '../kit/process-stats.ts'
import { formatTable } from '../kit/report.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { type Seeded, seed } from '../kit/seed.ts'
import { findWorkload } from '../kit/workloads.ts'
import { drawFlames, type Flame } from './draw.ts'
import { LAYER_TITLES, timeByLayer } from './layers.ts'
import { record } from './profile.ts'

const COMPARED = ['ours', 'fastify-sqlite'] as const
const WORKLOAD = 'team'

export const campaign = defineCampaign({
  summary: 'shows where the processor time of a read goes, in this service and in Fastify',
  duration: '30 s',
  options: {
    seconds: number('duration of each recording', 8),
    connections: number('clients', 64),
    plot: file('write the flame graphs to this SVG file'),
  },
  run: ({ seconds, connections, plot }) =>
    withScope(async (scope) => {
      const seeded = await seed(join(scope.createFolder('api-flame-'), 'seed.db'), 2000)
      const flames: Flame[] = []
      for (const name of COMPARED)
        flames.push(await recordLoad(scope, name, seeded, { seconds, connections }))
      const { title } = findWorkload(WORKLOAD)
      if (plot) writeFileSync(plot, drawFlames(title, flames, describeMachine()))
      return { table: tabulate(title, flames), failures: [] }
    }),
})

interface LoadOptions {
  readonly seconds: number
  readonly connections: number
}

/** Measures the processor time of a response without the profiler, which slows a server down, and then records. */
async function recordLoad(
  scope: Scope,
  name: (typeof COMPARED)[number],
  seeded: Seeded,
  options: LoadOptions,
): Promise<Flame> {
  const [port = 0] = await freePorts(1)
  const server = await startServer(scope, name, seeded, { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` })
  const run = async (seconds: number) => {
    const load = { ...options, url: server.url, workload: WORKLOAD, seeded, round: 0, seconds }
    const result = await runLoad(scope, load)
    expectStatuses(load, result, [200])
    return result.perSecond * seconds
  }
  await run(2)
  const before = processorMs(server.process.pid)
  const responses = await run(options.seconds)
  const microseconds = ((processorMs(server.process.pid) - before) * 1000) / responses
  const root = await record(port, async () => {
    await run(options.seconds)
  })
  server.process.kill()
  return { title: SERVERS[name].title, root, microseconds }
}

/** A row for each part, in microseconds of processor time for one response. */
function tabulate(title: string, flames: readonly Flame[]) {
  const times = flames.map(({ root, microseconds }) =>
    timeByLayer(root).map((us) => `${((us * microseconds) / root.us).toFixed(1)} µs`),
  )
  const total = ['total', ...flames.map(({ microseconds }) => `${microseconds.toFixed(1)} µs`)]
  const rows = LAYER_TITLES.map((layer, n) => [layer, ...times.map((column) => column[n] ?? '')])
  const columns = [title, ...flames.map((flame) => flame.title)]
  return `${describeMeasurement()}\n\n${formatTable({ columns, rows: [...rows, total] })}`
}

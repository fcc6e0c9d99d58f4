import { formatTable } from 'testkit/documents.ts'
import { oneOf, positive, runCommand } from '../kit/command.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { createRandom, quantile, round, shuffle } from '../kit/statistics.ts'
import { runLoad } from './load.ts'
import {
  createTemplate,
  DATABASES,
  type Measurement,
  type Program,
  type Server,
  selectPrograms,
  startServer,
  versions,
} from './servers.ts'
import { compareResponses, findWorkload, WORKLOADS } from './workloads.ts'

/**
 * `pnpm bench:api`: compares the service with other servers, or with another
 * checkout of the service, on copies of one database.
 */
const OPTIONS = {
  database: 'sqlite',
  against: '',
  rounds: '7',
  only: Object.keys(WORKLOADS).join(),
}

const USERS = 2000
const CONNECTIONS = 64
const TURNS = 3
const TURN_SECONDS = 0.25

async function bench(scope: Scope, options: typeof OPTIONS) {
  const database = oneOf(DATABASES, options.database)
  const rounds = positive(options.rounds)
  const workloads = options.only
    .split(',')
    .map((name) => oneOf(Object.keys(WORKLOADS), name))
  const programs = selectPrograms(database, options.against)
  const template = await createTemplate[database](scope, USERS)
  const random = createRandom(Date.now())
  const withServers = (work: (scope: Scope, servers: Server[]) => unknown) =>
    withScope(async (scope) => {
      const servers: Server[] = []
      for (const n of shuffle(programs.keys(), random))
        servers[n] = await startServer(
          scope,
          programs[n] as Program,
          await template.copy(),
        )
      await work(scope, servers)
    })

  await withServers(async (_, servers) => {
    const compared = await compareResponses(servers, template.seeded)
    console.log(`${compared} responses are equal`)
  })
  const createRow = (title: string): Row => ({
    title,
    servers: programs.map(() => []),
  })
  const start = createRow('start to the first response')
  const rows = new Map(
    workloads.map((name) => [name, createRow(findWorkload(name).title)]),
  )
  for (let round = 1; round <= rounds; round += 1) {
    console.log(`round ${round} of ${rounds}`)
    await withServers(async (scope, servers) => {
      for (const [n, server] of servers.entries())
        start.servers[n]?.push(server.start)
      // Measures writes last, because a faster server stores more rows, which
      // make its lists slower to read.
      const isWrite = ({ title }: Row) => Number(title.includes('durable'))
      const order = shuffle(rows, random).sort(
        ([, a], [, b]) => isWrite(a) - isWrite(b),
      )
      for (const [workload, row] of order) {
        const measured = await runLoad(scope, {
          workload,
          seeded: template.seeded,
          connections: CONNECTIONS,
          turnSeconds: TURN_SECONDS,
          servers: servers.map(({ title, url, pid }) => ({
            title,
            url,
            pids: [pid, ...template.pids],
          })),
          order: Array.from({ length: TURNS + 1 }, () =>
            shuffle(servers.keys(), random),
          ).flat(),
        })
        for (const [n, turns] of measured.entries())
          row.servers[n]?.push(...turns)
      }
    })
  }
  return {
    section: database === 'sqlite' ? 'bench' : 'bench-postgres',
    table: [
      `${USERS.toLocaleString('en')} users, ${CONNECTIONS} connections, medians of ${rounds} rounds of ${TURNS} turns of ${TURN_SECONDS} s, with ${versions()}.`,
      describe(programs, [...rows.values(), start]),
    ].join('\n\n'),
    failures: [],
  }
}

interface Row {
  readonly title: string
  readonly servers: readonly Measurement[][]
}

const describe = (programs: readonly Program[], rows: readonly Row[]): string =>
  formatTable({
    columns: [
      'processor time per response, median (quartiles)',
      ...programs.map(({ title }) => title),
    ],
    rows: rows.map((row) => [
      row.title,
      formatMedians(row.servers[0] ?? []),
      ...row.servers.slice(1).map((_, n) => formatRatios(compare(row, n))),
    ]),
  })

const compare = ({ servers: [ours = [], ...peers] }: Row, peer: number) =>
  ours.map(
    ({ processorUs }, turn) =>
      (peers[peer]?.[turn]?.processorUs ?? Number.NaN) / processorUs,
  )

function formatMedians(measured: readonly Measurement[]): string {
  const medianOf = (name: keyof Measurement) =>
    quantile(
      measured.map((one) => one[name]),
      0.5,
    )
  const [us, rate] = [medianOf('processorUs'), medianOf('perSecond')]
  const perSecond = round(rate, rate < 10 ? 1 : 0)
  return `${round(us).toLocaleString('en')} µs, ${perSecond.toLocaleString('en')}/s`
}

const formatRatios = (ratios: readonly number[]) => {
  const [middle, low, high] = [0.5, 0.25, 0.75].map((q) => {
    const ratio = quantile(ratios, q)
    return ratio.toFixed(ratio < 9.95 ? 2 : 0)
  })
  return `${middle} x (${low} to ${high})`
}

await runCommand(OPTIONS, (options) =>
  withScope((scope) => bench(scope, options)),
)

import { formatTable } from 'testkit/documents.ts'
import { z } from 'zod'
import { names as namesOf, positive, runCommand } from '../kit/command.ts'
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
} from './servers.ts'
import { compareResponses, findWorkload, WORKLOADS } from './workloads.ts'

/**
 * `pnpm bench:api`: compares the service with peers, or with the service of
 * another checkout, on copies of one database.
 */
const OPTIONS = {
  database: z.enum(DATABASES).default('sqlite').describe('sqlite or postgres'),
  against: z
    .string()
    .optional()
    .describe('folder of another checkout to compare with, not the peers'),
  users: positive(2000).describe('users in the database: 2000'),
  rounds: positive(7).describe('rounds, with new processes in each: 7'),
  turns: positive(3).describe('measurements of each server in a round: 3'),
  seconds: positive(0.25).describe('duration of a measurement: 0.25'),
  connections: positive(64).describe('clients: 64'),
  only: namesOf(Object.keys(WORKLOADS)).describe(
    `workloads: ${Object.keys(WORKLOADS)}`,
  ),
  seed: positive(Date.now() % 1e6).describe(
    'order of the measurements: random',
  ),
}

type Options = z.output<z.ZodObject<typeof OPTIONS>>

async function bench(scope: Scope, options: Options) {
  const { database, against, users, rounds, turns, seconds, connections } =
    options
  const programs = selectPrograms(database, against)
  const template = await createTemplate[database](scope, users)
  const random = createRandom(options.seed)
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
    console.log(`seed ${options.seed}, ${compared} responses are equal`)
  })
  const createRow = (title: string): Row => ({
    title,
    servers: programs.map(() => []),
  })
  const start = createRow('start to the first response')
  const rows = new Map(
    options.only.map((name) => [name, createRow(findWorkload(name).title)]),
  )
  for (let round = 1; round <= rounds; round += 1) {
    console.log(`round ${round} of ${rounds}`)
    await withServers(async (scope, servers) => {
      for (const [n, server] of servers.entries())
        start.servers[n]?.push(server.start)
      // Sorts operations that write last: a faster server stores more rows,
      // which lists would then return.
      const isWrite = ({ title }: Row) => Number(title.includes('durable'))
      const order = shuffle(rows, random).sort(
        ([, a], [, b]) => isWrite(a) - isWrite(b),
      )
      for (const [workload, row] of order) {
        const measured = await runLoad(scope, {
          workload,
          seeded: template.seeded,
          connections,
          seconds,
          servers: servers.map(({ title, url, pid }) => ({
            title,
            url,
            pids: [pid, ...template.pids],
          })),
          order: Array.from({ length: turns + 1 }, () =>
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
      `${users.toLocaleString('en')} users, ${connections} connections, medians of ${rounds} rounds of ${turns} turns of ${seconds} s, seed ${options.seed}.`,
      describe(programs, [...rows.values(), start]),
    ].join('\n\n'),
    failures: [],
  }
}

/** The measurements of one operation for each server, in the order of time. */
interface Row {
  readonly title: string
  readonly servers: readonly Measurement[][]
}

/**
 * Returns Markdown: a table of the processor time, each server with its
 * packages, and the operations in which each was better than the service.
 */
function describe(programs: readonly Program[], rows: readonly Row[]): string {
  const table = formatTable({
    columns: [
      'processor time per response',
      ...programs.map(({ title }) => title),
    ],
    rows: rows.map((row) => [
      row.title,
      formatMedians(row.servers[0] ?? []),
      ...row.servers.slice(1).map((_, n) => formatRatios(compare(row, n))),
    ]),
  })
  const servers = programs.map(({ title, packages }, n) => {
    const slower = rows
      .filter((row) => quantile(compare(row, n - 1), 0.75) < 1)
      .map((row) => row.title)
    const list = `. Takes less processor time than this service in three quarters of the measurements: ${slower.join('; ')}`
    return `- ${title}: ${packages}${slower.length > 0 ? list : ''}`
  })
  return [table, servers.join('\n')].join('\n\n')
}

/**
 * Returns the ratio of the processor time of a peer and of this service for
 * each turn. Compares only neighbouring turns, because the speed of a machine
 * with other work changes.
 */
const compare = ({ servers: [ours = [], ...peers] }: Row, peer: number) =>
  ours.map(
    ({ processorUs }, turn) =>
      (peers[peer]?.[turn]?.processorUs ?? Number.NaN) / processorUs,
  )

/** Formats the medians as `28 µs, 28,525/s`. */
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

/** Formats ratios as `1.02 x (0.95 to 1.10)`: the median and the quartiles. */
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

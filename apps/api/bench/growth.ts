import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Line, plot } from './plot.ts'
import { seed } from './seed.ts'
import { load, quartiles, startServer } from './servers.ts'
import { WORKLOADS } from './workloads.ts'

const HELP = `Measures the same workloads on larger and larger databases.

  pnpm --filter api bench:growth [--sizes 2000,20000,100000,1000000] [--rounds 3] [--seconds 2] [--plot FILE.svg]
`

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '2000,20000,100000,1000000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: 'user,team,members,patch,post-team,assign' },
    plot: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (options.help) console.log(HELP)
else await main()

async function main(): Promise<void> {
  const sizes = options.sizes.split(',').map(Number)
  const lines: Line[] = options.only
    .split(',')
    .map((name) => ({ name, title: WORKLOADS[name]?.title ?? name, points: [] }))
  for (const users of sizes) {
    const folder = mkdtempSync(join(tmpdir(), 'bench-growth-'))
    const seeded = await seed(join(folder, 'seed.db'), users)
    const server = await startServer('ours', folder, seeded)
    try {
      for (const { name, title, points } of lines) {
        const measured = []
        for (let round = 0; round <= Number(options.rounds); round += 1) {
          const seconds = round === 0 ? 1 : Number(options.seconds)
          const order = { url: server.url, workload: name, round, seconds, connections: 64, seeded }
          const result = await load(order)
          if (result.wrong > 0) throw new Error(`${result.wrong} wrong answers to ${name}`)
          if (round > 0) measured.push(result)
        }
        const rate = quartiles(measured.map((it) => it.rate)).median
        const p99 = quartiles(measured.map((it) => it.p99)).median
        points.push({ users, rate, p99 })
        const relative = rate / (points[0]?.rate ?? rate)
        console.log(
          `${users.toLocaleString('en').padStart(9)} users  ${title.padEnd(34)} ${Math.round(rate).toString().padStart(6)}/s  p99 ${p99.toFixed(1).padStart(5)} ms  ${relative.toFixed(2)} of the smallest`,
        )
      }
    } finally {
      server.process.kill('SIGKILL')
      rmSync(folder, { recursive: true })
    }
  }
  const machine = `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`
  console.log(machine)
  if (options.plot) writeFileSync(options.plot, plot(lines, machine))
}

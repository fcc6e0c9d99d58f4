import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Measured } from './load.ts'
import { type Seeded, seed } from './seed.ts'
import { load, processorMs, quartiles, residentMb, type Server, startServer } from './servers.ts'
import { WORKLOADS } from './workloads.ts'

const HELP = `Measures the service beside its peers, in turn, on copies of one database.

  pnpm bench:api [--users 2000] [--rounds 5] [--seconds 3] [--only user,team] [--json FILE]
`

const { values: options } = parseArgs({
  options: {
    users: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
    only: { type: 'string', default: Object.keys(WORKLOADS).join() },
    servers: { type: 'string', default: 'ours,built,fastify-sqlite,express-drizzle,bare-hono' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

/** With the processor time that the server took for one answer, in microseconds: steadier than the rate. */
type Result = Measured & { readonly processorUs: number }
type Results = Record<string, Record<string, Result[]>>

if (options.help) console.log(HELP)
else await main()

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-api-'))
  const servers: Server[] = []
  try {
    const seeded = await seed(join(folder, 'seed.db'), Number(options.users))
    for (const name of options.servers.split(',')) servers.push(await startServer(name, folder, seeded))
    await compareAnswers(servers, seeded)
    const results: Results = {}
    for (const workload of options.only.split(',')) {
      results[workload] = await measure(workload, servers, seeded)
      console.log(table(workload, results[workload]))
    }
    for (const server of servers.filter(({ name }) => name !== 'bare-hono')) {
      const { firstByte, lastByte, megabytes } = await firstByteOf(`${server.url}/users`)
      console.log(
        `GET /users, all ${megabytes} MB, of ${server.name}: first byte after ${firstByte} ms, last after ${lastByte} ms`,
      )
    }
    const memory = Object.fromEntries(servers.map(({ name, process: { pid } }) => [name, residentMb(pid)]))
    const start = Object.fromEntries(servers.map(({ name, startMs }) => [name, Math.round(startMs)]))
    console.log(`resident memory after all of it, MB: ${JSON.stringify(memory)}`)
    console.log(`start to first answer, ms:           ${JSON.stringify(start)}`)
    const machine = `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`
    console.log(
      `${machine}; ${options.users} users, ${options.connections} connections, ${options.rounds} rounds of ${options.seconds} s`,
    )
    if (options.json)
      writeFileSync(options.json, JSON.stringify({ machine, options, results, memory, start }, null, 1))
  } finally {
    for (const { process } of servers) process.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  }
}

/** A peer that answered something else would be no peer. */
async function compareAnswers(servers: readonly Server[], seeded: Seeded): Promise<void> {
  const peers = servers.filter(({ name }) => name !== 'bare-hono')
  let compared = 0
  for (const { calls, compared: exact } of Object.values(WORKLOADS)) {
    for (const { path } of exact ? (calls?.(seeded) ?? []).slice(0, 20) : []) {
      const answers = await Promise.all(peers.map(({ url }) => answerOf(url + path)))
      const other = answers.findIndex((answer) => answer !== answers[0])
      if (other > 0) {
        throw new Error(
          `${path}\n${peers[0]?.name} answers ${answers[0]?.slice(0, 300)}\n${peers[other]?.name} answers ${answers[other]?.slice(0, 300)}`,
        )
      }
      compared += 1
    }
  }
  console.log(
    `${compared} answers of ${peers.map(({ name }) => name).join(', ')} compared: the same to the byte\n`,
  )
}

/** Medians of a few answers to one client, read as they come; milliseconds. */
async function firstByteOf(url: string) {
  const firsts: number[] = []
  const lasts: number[] = []
  let bytes = 0
  for (let n = 0; n < 5; n += 1) {
    const started = performance.now()
    const { body } = await fetch(url)
    bytes = 0
    for await (const chunk of body ?? []) {
      if (bytes === 0) firsts.push(performance.now() - started)
      bytes += chunk.length
    }
    lasts.push(performance.now() - started)
  }
  return {
    firstByte: quartiles(firsts).median.toFixed(1),
    lastByte: quartiles(lasts).median.toFixed(0),
    megabytes: (bytes / 1e6).toFixed(1),
  }
}

/** The status, the headers that the service promises and the body. */
async function answerOf(url: string): Promise<string> {
  const response = await fetch(url, { headers: { 'x-request-id': 'bench' } })
  const headers = ['content-type', 'cache-control', 'x-request-id'].map((name) => response.headers.get(name))
  return `${response.status} ${headers.join('; ').replace('; charset=utf-8', '')} ${await response.text()}`
}

/** Rounds over all servers in turn; the first warms up and does not count. */
async function measure(
  workload: string,
  servers: readonly Server[],
  seeded: Seeded,
): Promise<Record<string, Result[]>> {
  const results: Record<string, Result[]> = Object.fromEntries(servers.map(({ name }) => [name, []]))
  for (let round = 0; round <= Number(options.rounds); round += 1) {
    for (const { name, url, process } of servers) {
      const before = processorMs(process.pid)
      const seconds = round === 0 ? 1 : Number(options.seconds)
      const measured = await load({
        url,
        workload,
        round,
        seconds,
        connections: Number(options.connections),
        seeded,
      })
      if (measured.wrong > 0) throw new Error(`${name} gave ${measured.wrong} wrong answers to ${workload}`)
      const answers = (measured.rate + (measured.beside?.rate ?? 0)) * seconds
      const processorUs = ((processorMs(process.pid) - before) * 1000) / answers
      if (round > 0) results[name]?.push({ ...measured, processorUs })
    }
  }
  return results
}

function table(name: string, results: Record<string, Result[]>): string {
  const { title, targets = {}, beside } = WORKLOADS[name] ?? { title: name }
  const figure = (peer: string, of: (result: Result) => number) => quartiles((results[peer] ?? []).map(of))
  const rows = Object.keys(results).map((peer) => {
    const rate = figure(peer, (it) => it.rate)
    const [ours, theirs] = beside
      ? [figure(peer, (it) => it.p99).median, figure('ours', (it) => it.p99).median]
      : [figure('ours', (it) => it.rate).median, rate.median]
    const target = targets[peer as keyof typeof targets]
    const ratio = ours / theirs
    const verdict = target === undefined ? '' : ratio >= target ? `met (${target})` : `NOT MET (${target})`
    const flood = beside ? `  flood ${Math.round(figure(peer, (it) => it.beside?.rate ?? 0).median)}/s` : ''
    return [
      `  ${peer.padEnd(16)}`,
      `${Math.round(rate.median)}/s`.padStart(9),
      `[${Math.round(rate.low)}..${Math.round(rate.high)}]`.padStart(16),
      `${figure(peer, (it) => it.processorUs).median.toFixed(1)} µs each`.padStart(18),
      `p50 ${figure(peer, (it) => it.p50).median.toFixed(1)} ms`.padStart(14),
      `p99 ${figure(peer, (it) => it.p99).median.toFixed(1)} ms`.padStart(14),
      peer === 'ours' ? '' : `ours ${ratio.toFixed(2)} x`.padStart(14),
      `  ${verdict}${flood}`,
    ].join('')
  })
  return `${title}\n${rows.join('\n')}\n`
}

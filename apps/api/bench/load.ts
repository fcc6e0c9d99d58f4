import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'
import type { Seeded } from './seed.ts'
import { type Call, WORKLOADS, type Workload } from './workloads.ts'

/** What the process of the load is told; it answers with what it measured. */
export interface Order {
  readonly url: string
  readonly workload: string
  readonly round: number
  readonly seconds: number
  readonly connections: number
  readonly seeded: Seeded
}

export interface Measured {
  /** Answers a second. */
  readonly rate: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Answers of a status that this workload should not get. */
  readonly wrong: number
  /** The flood beside the measured reads. */
  readonly beside?: Measured
}

process.on('message', async (order: Order) => {
  const workload = workloadOf(order.workload)
  if (workload.beside === undefined) return process.send?.(await flood(order, workload))
  const [beside, reads] = await Promise.all([
    flood(order, workloadOf(workload.beside)),
    paced(order, workload),
  ])
  return process.send?.({ ...reads, beside })
})

function workloadOf(name: string): Workload {
  const workload = WORKLOADS[name]
  if (workload === undefined) throw new Error(`unknown workload ${name}`)
  return workload
}

/** As many requests as `connections` clients can make, each one after the other. */
async function flood(order: Order, workload: Workload): Promise<Measured> {
  const { url, seconds, connections, seeded, round } = order
  let wrong = 0
  const onResponse = (status: number) => {
    if (![200, 201, 422].includes(status)) wrong += 1
  }
  const prepared = ({ method, path, body }: Call) => ({
    method,
    path,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  })
  const fresh = workload.fresh?.(seeded, round)
  const requests = fresh
    ? [{ onResponse, setupRequest: (base: object) => ({ ...base, ...prepared(fresh.next().value) }) }]
    : (workload.calls?.(seeded) ?? []).map((call) => ({ ...prepared(call), onResponse }))
  const {
    requests: count,
    duration,
    latency,
  } = await autocannon({ url, connections, duration: seconds, requests })
  return { rate: count.total / duration, p50: latency.p50, p99: latency.p99, wrong }
}

/** 500 requests a second whether or not those before were answered, timed from when each was due. */
async function paced({ url, seconds, seeded }: Order, workload: Workload): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const calls = workload.calls?.(seeded) ?? []
  const started = performance.now()
  const times: number[] = []
  let wrong = 0
  const running: Promise<void>[] = []
  for (let n = 0; n < seconds * 500; n += 1) {
    const due = started + n * 2
    await pause(Math.max(0, due - performance.now()))
    const { promise, resolve } = Promise.withResolvers<void>()
    running.push(promise)
    request(url + calls[n % calls.length]?.path, { agent }, (response) => {
      if (response.statusCode !== 200) wrong += 1
      response.resume().on('end', () => {
        times.push(performance.now() - due)
        resolve()
      })
    })
      .on('error', () => {
        wrong += 1
        resolve()
      })
      .end()
  }
  await Promise.all(running)
  agent.destroy()
  times.sort((a, b) => a - b)
  const quantile = (q: number) => times[Math.floor(times.length * q)] ?? Number.NaN
  return { rate: times.length / seconds, p50: quantile(0.5), p99: quantile(0.99), wrong }
}

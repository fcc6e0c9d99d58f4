import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePorts } from '../test/support/ports.ts'
import type { Measured, Order } from './load.ts'
import type { Seeded } from './seed.ts'

export interface Server {
  readonly name: string
  readonly url: string
  readonly process: ChildProcess
  /** From the start of the process to its first answer. */
  readonly startMs: number
}

/**
 * Starts ours (from source, or `built`) or a peer on a copy of the seeded file, and waits for its first answer.
 * None of them writes a line for each request.
 */
export async function startServer(name: string, folder: string, { file }: Seeded): Promise<Server> {
  const own = join(folder, `${name}.db`)
  copyFileSync(file, own)
  const [port] = await freePorts(1)
  const script = { ours: '../src/main.ts', built: '../dist/main.js' }[name] ?? `peers/${name}.ts`
  const started = performance.now()
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url))], {
    env: { PORT: `${port}`, DATABASE_URL: `sqlite:${own}`, LOG_LEVEL: 'error', NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
  }
  return { name, url, process: child, startMs: performance.now() - started }
}

const answers = (url: string) =>
  fetch(`${url}/nowhere`).then(
    () => true,
    () => pause(5, false),
  )

/** Has a process of its own make the load. */
export async function load(order: Order): Promise<Measured> {
  const child = fork(fileURLToPath(new URL('load.ts', import.meta.url)))
  child.send(order)
  const [measured] = (await once(child, 'message')) as [Measured]
  child.kill()
  return measured
}

export function quartiles(values: number[]): { low: number; median: number; high: number } {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (q: number) => sorted[Math.round((sorted.length - 1) * q)] ?? Number.NaN
  return { low: at(0.25), median: at(0.5), high: at(0.75) }
}

/** Processor time that a process has had, all its threads together; the system counts it in hundredths of a second. */
export function processorMs(pid = 0): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11)
  return (Number(user) + Number(system)) * 10
}

export function residentMb(pid = 0): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kb) / 1024)
}

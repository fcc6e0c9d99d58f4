import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts } from '../support/ports.ts'

const HAPROXY = '/usr/sbin/haproxy'

/** How often an instance is asked for /readyz, and after how many answers in a row it counts as down or up. */
export const CHECK = { intervalMs: 200, fall: 2, rise: 1 }

export interface Balancer {
  readonly url: string
  /** Waits until the balancer sends requests to all instances. */
  allUp(): Promise<void>
  stop(): void
}

/** Starts HAProxy in front of instances on these ports. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  if (!existsSync(HAPROXY)) throw new Error(`${HAPROXY} is not there: apt-get install haproxy`)
  const [front = 0, stats = 0] = await freePorts(2)
  const folder = mkdtempSync(join(tmpdir(), 'api-rolling-'))
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configuration(front, stats, ports))
  const haproxy = spawn(HAPROXY, ['-db', '-f', file], { stdio: 'ignore' })
  return {
    url: `http://127.0.0.1:${front}`,
    async allUp() {
      const deadline = performance.now() + 20_000
      while ((await states(stats)).join() !== ports.map(() => 'UP').join()) {
        if (performance.now() > deadline) throw new Error(`the balancer sees: ${await states(stats)}`)
        await pause(20)
      }
    },
    stop() {
      haproxy.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Nothing is tried a second time, so that no failure is hidden. */
const configuration = (front: number, stats: number, ports: readonly number[]) => `
defaults
  mode http
  retries 0
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 1s
listen stats
  bind 127.0.0.1:${stats}
  stats enable
  stats uri /
listen api
  bind 127.0.0.1:${front}
  option httpchk GET /readyz
  default-server inter ${CHECK.intervalMs}ms fall ${CHECK.fall} rise ${CHECK.rise}
${ports.map((port) => `  server at-${port} 127.0.0.1:${port} check`).join('\n')}
`

/** What the balancer holds of each instance, such as `UP`; nothing while it starts itself. */
async function states(stats: number): Promise<string[]> {
  const csv = await fetch(`http://127.0.0.1:${stats}/;csv`).then(
    (response) => response.text(),
    () => '',
  )
  const [head = '', ...rows] = csv.split('\n')
  const column = head.split(',').indexOf('status')
  return rows.filter((row) => row.startsWith('api,at-')).map((row) => row.split(',')[column] ?? '')
}

import { type SpawnOptions, spawn } from 'node:child_process'
import { chmodSync, globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePorts } from 'testkit/ports.ts'
import { REPOSITORY } from 'testkit/repository.ts'
import type { Scope } from './scope.ts'
import { waitUntil } from './wait.ts'

/** A server of the load balancer, and the port that its health check uses if it is another. */
export interface Backend {
  readonly port: number
  readonly checkPort?: number
}

export interface Balancing {
  readonly mode: 'http' | 'tcp'
  readonly backends: readonly Backend[]
  /** Path that returns 200 while a backend may receive traffic. */
  readonly checkPath: string
  /** Time between two health checks, and how many in a row must fail until the backend is down. */
  readonly check: { readonly intervalMs: number; readonly fall: number }
  /** HAProxy options for every backend. */
  readonly serverOptions?: string
}

export interface Balancer {
  readonly port: number
  /** Waits until the health checks of all backends pass. */
  waitForAll(): Promise<void>
}

/** Finds an installed program. Throws an error that names the Debian package to install. */
export function findProgram(pattern: string, debianPackage: string): string {
  const path = globSync(pattern).sort().at(-1)
  if (path === undefined) throw new Error(`${pattern} not found: apt-get install ${debianPackage}`)
  return path
}

/** Starts HAProxy without retries, so that it does not hide a failed request. */
export async function startHaproxy(
  scope: Scope,
  balancing: Balancing,
  options: Pick<SpawnOptions, 'uid' | 'gid'> = {},
): Promise<Balancer> {
  const [port = 0, statsPort = 0] = await freePorts(2)
  const program = findProgram('/usr/sbin/haproxy', 'haproxy')
  const folder = scope.createFolder('api-haproxy-')
  chmodSync(folder, 0o755) // readable for the user that HAProxy runs as
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, formatConfiguration(port, statsPort, balancing))
  // In a new process group, so that Ctrl-C does not stop it before the clients.
  scope.own(spawn(program, ['-db', '-f', file], { ...options, stdio: 'ignore', detached: true }))
  return { port, waitForAll: () => waitForServers(statsPort, 'front,at-', balancing.backends.length) }
}

/** The file with which compose.yaml runs HAProxy. */
const DEPLOYED = fileURLToPath(new URL('apps/api/deploy/haproxy.cfg', REPOSITORY))

/** Starts HAProxy in front of two instances with the file in deploy/. */
export async function startDeployedHaproxy(scope: Scope, ports: readonly number[]): Promise<Balancer> {
  const [port = 0, statsPort = 0] = await freePorts(2)
  const program = findProgram('/usr/sbin/haproxy', 'haproxy')
  const [first, second] = ports.map((port) => `127.0.0.1:${port}`)
  const env = {
    LISTEN: `127.0.0.1:${port}`,
    STATS: `127.0.0.1:${statsPort}`,
    SERVER_1: first,
    SERVER_2: second,
  }
  scope.own(spawn(program, ['-db', '-f', DEPLOYED], { env, stdio: 'ignore', detached: true }))
  return { port, waitForAll: () => waitForServers(statsPort, 'service,instance-', ports.length) }
}

const waitForServers = (statsPort: number, prefix: string, count: number) =>
  waitUntil(
    'HAProxy reports all servers as UP',
    async () => {
      const states = await readStates(statsPort, prefix)
      return states.length === count && states.every((state) => state === 'UP')
    },
    20,
  )

function formatConfiguration(port: number, statsPort: number, balancing: Balancing): string {
  const { mode, backends, checkPath, check, serverOptions = '' } = balancing
  const servers = backends.map(
    ({ port, checkPort = port }) => `  server at-${port} 127.0.0.1:${port} check port ${checkPort}`,
  )
  return `
defaults
  retries 0
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 1s
listen stats
  mode http
  bind 127.0.0.1:${statsPort}
  stats enable
  stats uri /
listen front
  mode ${mode}
  bind 127.0.0.1:${port}
  option httpchk GET ${checkPath}
  default-server inter ${check.intervalMs}ms fall ${check.fall} rise 1 ${serverOptions}
${servers.join('\n')}
`
}

/** The state of each server whose row starts with the prefix, such as `UP`; none while HAProxy is starting. */
async function readStates(statsPort: number, prefix: string): Promise<string[]> {
  const csv = await fetch(`http://127.0.0.1:${statsPort}/;csv`).then(
    (response) => response.text(),
    () => '',
  )
  const [head = '', ...rows] = csv.split('\n')
  const column = head.split(',').indexOf('status')
  return rows.filter((row) => row.startsWith(prefix)).map((row) => row.split(',')[column] ?? '')
}

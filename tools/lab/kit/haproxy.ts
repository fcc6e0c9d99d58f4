import { type SpawnOptions, spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePorts } from 'testkit/ports.ts'
import { REPOSITORY } from 'testkit/repository.ts'
import type { Scope } from './scope.ts'
import { waitUntil } from './wait.ts'

/** Finds an installed program. Throws an error that names the Debian package to install. */
export function findProgram(pattern: string, debianPackage: string): string {
  const path = globSync(pattern).sort().at(-1)
  if (path === undefined) throw new Error(`${pattern} not found: apt-get install ${debianPackage}`)
  return path
}

/** The HAProxy configuration of compose.yaml: two instances, without retries, which would hide failed requests. */
const DEPLOYED = fileURLToPath(new URL('apps/api/deploy/haproxy.cfg', REPOSITORY))

/** Starts HAProxy in front of two instances. */
export async function startHaproxy(scope: Scope, ports: readonly number[]) {
  const [port = 0, statsPort = 0] = await freePorts(2)
  const [first, second] = ports.map((port) => `127.0.0.1:${port}`)
  const env = {
    LISTEN: `127.0.0.1:${port}`,
    STATS: `127.0.0.1:${statsPort}`,
    SERVER_1: first,
    SERVER_2: second,
  }
  spawnHaproxy(scope, DEPLOYED, { env })
  return {
    port,
    /** Waits until the health checks of both instances pass. */
    waitForAll: () =>
      waitUntil(
        'HAProxy reports all servers as UP',
        async () => (await readStates(statsPort)) === 'UP,UP',
        20,
      ),
  }
}

/** Starts HAProxy in a new process group, so that Ctrl-C does not stop it before the clients. */
export function spawnHaproxy(scope: Scope, file: string, options: SpawnOptions): void {
  const program = findProgram('/usr/sbin/haproxy', 'haproxy')
  scope.own(spawn(program, ['-db', '-f', file], { ...options, stdio: 'ignore', detached: true }))
}

/** Returns the state of each server, such as `UP,DOWN`, or an empty string while HAProxy is starting. */
async function readStates(statsPort: number): Promise<string> {
  const csv = await fetch(`http://127.0.0.1:${statsPort}/;csv`).then(
    (response) => response.text(),
    () => '',
  )
  const [head = '', ...rows] = csv.split('\n').map((row) => row.split(','))
  const column = head.indexOf('status')
  return rows
    .filter(([proxy, name]) => proxy === 'service' && name?.startsWith('instance-'))
    .map((row) => row[column])
    .join()
}

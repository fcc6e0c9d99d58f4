import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { folderForTest } from './engines.ts'
import { freePorts } from './ports.ts'
import { collect } from './process.ts'

/**
 * Starts an installed program, and kills it at the end of the test. Returns a function that returns the output of the
 * program so far. Throws an error that names the Debian package if the program is not installed.
 */
export function startProgram(
  path: string,
  debianPackage: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): () => string {
  if (!existsSync(path)) throw new Error(`${path} not found: apt-get install ${debianPackage}`)
  const child = spawn(path, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = collect(child.stdout, child.stderr)
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return output
}

/**
 * Starts HAProxy in front of servers, each `host:port`, and waits until it serves `healthPath`. The configuration reads the
 * addresses from LISTEN, STATS, SERVER_1 and SERVER_2. The proxy ends with the test.
 */
export async function startHaproxy(
  configuration: string,
  [first = '', second = first]: readonly string[],
  healthPath: string,
) {
  const file = join(await folderForTest(), 'haproxy.cfg')
  await writeFile(file, configuration)
  const [port = 0, statsPort = 0] = await freePorts(2)
  const [listen, stats] = [`127.0.0.1:${port}`, `127.0.0.1:${statsPort}`]
  const env = { PATH: process.env.PATH, LISTEN: listen, STATS: stats, SERVER_1: first, SERVER_2: second }
  const output = startProgram('/usr/sbin/haproxy', 'haproxy', ['-db', '-f', file], env)
  const url = `http://${listen}`
  const status = () =>
    fetch(url + healthPath).then(
      (response) => response.status,
      () => `no response: ${output()}`,
    )
  await expect.poll(status).toBe(200)
  /** `stats` is the address of the statistics, and `output` returns what the proxy has printed, its log included. */
  return { url, port, stats, output }
}

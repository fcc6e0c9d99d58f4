import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { folderForTest } from './engines.ts'
import { startServer } from './server.ts'
import { freePorts } from './sockets.ts'

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
  const { output, stop } = await startServer('/usr/sbin/haproxy', ['-db', '-f', file], '', { env })
  onTestFinished(() => stop('SIGKILL'))
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

import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Starts a database server, and waits until its log contains `ready`. Returns a function that sends the server a signal
 * and waits for its end.
 */
export async function startServer(
  command: string,
  args: readonly string[],
  ready: string,
  options: Pick<SpawnOptions, 'uid' | 'gid' | 'cwd'> = {},
): Promise<(signal: NodeJS.Signals) => Promise<void>> {
  const server = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(server, 'exit')
  let log = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr.setEncoding('utf8').on('data', (text) => {
      if (log.length < 10_000) log += text
      if (log.includes(ready)) resolve()
    })
    exited.then(() => reject(new Error(`${command} did not start: ${log}`)))
  })
  return async (signal) => {
    server.kill(signal)
    await exited
  }
}

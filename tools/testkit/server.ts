import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

/** As root, starts servers as `nobody`, because PostgreSQL rejects root. */
export const AS_NOBODY =
  process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

export async function startServer(
  path: string,
  args: readonly string[],
  readyOutput = '',
  options: Pick<SpawnOptions, 'uid' | 'gid' | 'cwd' | 'env'> = {},
) {
  const child = spawn(path, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await once(child, 'spawn').catch((cause) => {
    throw new Error(`cannot start ${path}: is its Debian package installed?`, {
      cause,
    })
  })
  const output = collect(child.stdout, child.stderr)
  const exited = once(child, 'exit')
  await new Promise<void>((resolve, reject) => {
    const check = () => output().includes(readyOutput) && resolve()
    for (const stream of [child.stdout, child.stderr]) stream.on('data', check)
    check()
    exited.then(() => reject(new Error(`${path} did not start: ${output()}`)))
  })
  return {
    pid: child.pid as number,
    output,
    async stop(signal: NodeJS.Signals): Promise<void> {
      child.kill(signal)
      await exited
    },
  }
}

export function collect(...streams: readonly Readable[]): () => string {
  let received = ''
  for (const stream of streams)
    stream.on('data', (chunk) => {
      received += chunk
    })
  return () => received
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { clientAt } from './client.ts'
import { REPOSITORY } from './documents.ts'
import { collect } from './server.ts'

const API = fileURLToPath(new URL('apps/api/', REPOSITORY))

/**
 * With this cache, a start of the service takes 0.34 s of processor time
 * instead of 0.63 s.
 */
const COMPILE_CACHE = `${API}node_modules/.cache/node`

export type Running = Awaited<ReturnType<typeof startService>>

/**
 * `through` is a command that runs the service, such as `setpriv --reuid
 * 65534`. `onSpawn` receives the process even if the service never listens.
 */
export async function startService(
  env: Record<string, string>,
  through: readonly string[] = [],
  onSpawn: (child: ChildProcess) => void = () => {},
  args: readonly string[] = [],
) {
  const child = spawnService({ PORT: '0', ...env }, args, through)
  onSpawn(child)
  const logLines: string[] = []
  const stderr = collect(child.stderr)
  const exited = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      logLines.push(line)
      const { msg, url } = JSON.parse(line)
      if (msg === 'listening') resolve(url)
    })
    exited.then(([code]) => {
      const message = `the service ended with ${code} before it listened`
      reject(new Error(`${message}: ${stderr()}`))
    })
  })
  return {
    url,
    process: child as ChildProcess,
    logLines: logLines as readonly string[],
    stderr,
    ...clientAt(url),
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      const [code, killedBy] = await exited
      return (code ?? killedBy) as number | NodeJS.Signals
    },
  }
}

export async function runService(
  env: Record<string, string>,
  args: string[] = [],
  through: string[] = [],
) {
  const { code, stderr } = await runCommand(env, args, through)
  return { code, stderr }
}

export async function migrate(url: string): Promise<void> {
  const { code, stderr } = await runCommand({ DATABASE_URL: url }, ['migrate'])
  if (code !== 0) throw new Error(`the database was not migrated: ${stderr}`)
}

export async function runCommand(
  env: Record<string, string>,
  args: string[],
  through: string[] = [],
) {
  const child = spawnService(env, args, through)
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, stdout, stderr }
}

/**
 * The service accepts any `Host`, because tests send `Host: x`. A test sets
 * NODE_OPTIONS to replace or count modules, so the service then runs from the
 * source files instead of the bundle.
 */
export function spawnService(
  env: Record<string, string>,
  args: readonly string[],
  through: readonly string[],
) {
  const main =
    (!env.NODE_OPTIONS && process.env.BUNDLED_SERVICE) || `${API}src/main.ts`
  const [program = '', ...rest] = [...through, process.execPath, main, ...args]
  return spawn(program, rest, {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ALLOWED_HOSTS: '*',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

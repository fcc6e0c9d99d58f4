import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export interface Running {
  readonly url: string
  readonly process: ChildProcess
  readonly logLines: readonly string[]
  /** Sends a signal, waits for the end and returns the exit code, or the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

/**
 * Starts the service as a process of its own on a free port, and waits until it listens. `through` is a command that
 * becomes the command behind it, such as `setpriv --reuid 65534`. `onSpawn` receives the process before it listens.
 */
export async function startService(
  env: Record<string, string>,
  through: readonly string[] = [],
  onSpawn: (child: ChildProcess) => void = () => {},
): Promise<Running> {
  const child = spawnService({ PORT: '0', ...env }, [], through)
  onSpawn(child)
  const logLines: string[] = []
  const exited = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      logLines.push(line)
      const { msg, url } = JSON.parse(line)
      if (msg === 'listening') resolve(url)
    })
    exited.then(([code]) => reject(new Error(`the service ended with ${code} before it listened`)))
  })
  return {
    url,
    process: child,
    logLines,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      const [code, killedBy] = await exited
      return code ?? killedBy
    },
  }
}

/** Runs the service where it is expected to end by itself. */
export async function runService(env: Record<string, string>, args: string[] = [], through: string[] = []) {
  const { code, stderr } = await runCommand(env, args, through)
  return { code, stderr }
}

/** Runs a command of the service to its end. */
export async function runCommand(env: Record<string, string>, args: string[], through: string[] = []) {
  const child = spawnService(env, args, through)
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

function spawnService(env: Record<string, string>, args: readonly string[], through: readonly string[]) {
  const [program = '', ...rest] = [...through, process.execPath, MAIN, ...args]
  return spawn(program, rest, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
}

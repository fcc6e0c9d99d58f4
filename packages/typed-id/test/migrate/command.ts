import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { cli } from '../cli/terminal.ts'

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

export interface Result {
  /** The exit code, or the signal that has ended the process. */
  readonly code: number | string
  readonly out: string
  readonly err: string
}

export interface Running {
  readonly child: ChildProcess
  readonly result: Promise<Result>
}

/** Starts `typed-id migrate plan` in the folder of the package, from which it imports the driver. */
export function start(
  args: readonly string[],
  { cwd = import.meta.dirname, flags = [] as string[] } = {},
): Running {
  const env = { ...process.env, NODE_PATH: '' } // pnpm sets it to a folder with all packages
  const child = spawn(process.execPath, [...flags, CLI, 'migrate', 'plan', ...args], { cwd, env })
  const written = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    written.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    written.err += text
  })
  const result = once(child, 'close').then(([code, signal]) => ({ code: code ?? signal, ...written }))
  return { child, result }
}

/** Runs `typed-id migrate plan` in this process, in the same folder. */
export function run(args: readonly string[]): Promise<Result> {
  process.chdir(import.meta.dirname)
  return cli(['migrate', 'plan', ...args])
}

/** Repeats a query until it returns a value. */
export async function waitFor<T>(query: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await query()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

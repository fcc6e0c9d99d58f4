import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { onTestFinished } from 'vitest'

/**
 * Starts an installed program, which is killed at the end of the test, and returns a function that returns everything
 * that it has printed. Throws an error that names the Debian package if the program is not installed.
 */
export function startProgram(
  path: string,
  debianPackage: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): () => string {
  if (!existsSync(path)) throw new Error(`${path} not found: apt-get install ${debianPackage}`)
  const child = spawn(path, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return () => output
}

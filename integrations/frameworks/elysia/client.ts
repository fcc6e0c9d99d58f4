import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createHttpClient } from '../client.ts'

/** Runs the recipe on Bun, which prints the origin when it listens. */
export async function open() {
  const bun = join(import.meta.dirname, '../../node_modules/.bin/bun')
  // Without `--no-install`, Bun would download a package that is not installed.
  const args = ['--no-install', join(import.meta.dirname, 'main.ts')]
  const child = spawn(bun, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const origin = String(line).trim()
  return createHttpClient(
    (path, init) => fetch(origin + path, init),
    async () => child.kill(),
  )
}

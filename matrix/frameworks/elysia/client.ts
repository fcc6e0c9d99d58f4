import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createHttpClient } from '../client.ts'

/** Runs the recipe on Bun, which prints the origin when it listens. */
export async function open() {
  const bun = join(import.meta.dirname, '../../node_modules/.bin/bun')
  const child = spawn(bun, [join(import.meta.dirname, 'main.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const origin = String(line).trim()
  return createHttpClient(
    (path, init) => fetch(origin + path, init),
    async () => child.kill(),
  )
}

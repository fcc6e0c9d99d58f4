/*
 * Runs bench/main.ts on Bun and Deno, without targets, which apply to Node only, and on Node 26. Bun and Node 26 have a
 * native randomUUIDv7. In Bun and Deno the native crypto.randomUUID is at least as fast as JavaScript code that takes its
 * random bytes from a pool.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = join(tmpdir(), 'typed-id-bench')
const table = join(import.meta.dirname, 'main.ts')

if (!existsSync(join(folder, 'node_modules/.bin/node'))) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', 'bun@1.4.5', 'deno@2.9.6', 'node@26'], {
    cwd: folder,
    stdio: 'inherit',
  })
}
const bin = (name: string) => join(folder, 'node_modules/.bin', name)
const wanted = process.argv.slice(2)
for (const [command, ...args] of [
  [bin('bun'), table],
  [bin('deno'), 'run', '--allow-all', table],
  [bin('node'), table],
] as [string, ...string[]][]) {
  const child = spawnSync(command, [...args, ...wanted], { stdio: 'inherit' })
  if (child.error) throw child.error
  console.log()
}
console.log('3 runtimes measured')

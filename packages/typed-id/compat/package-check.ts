/*
 * Runs publint and Are The Types Wrong on the tarball that would be published, and checks its files:
 * `pnpm --filter typed-id run package-check`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkContents } from './contents.ts'

const folder = mkdtempSync(join(tmpdir(), 'typed-id-pack-'))
execFileSync('npx', ['--yes', 'pnpm@12', 'pack', '--pack-destination', folder], { stdio: 'ignore' })
const tarball = join(folder, readdirSync(folder).find((file) => file.endsWith('.tgz')) as string)
const failed = [
  ['publint', 'run', tarball, '--strict'],
  // The profile leaves out node10, a resolution without `exports`, which TypeScript 7 no longer has.
  ['attw', tarball, '--profile', 'node16'],
].filter(([command, ...args]) => spawnSync(command as string, args, { stdio: 'inherit' }).status !== 0)
execFileSync('tar', ['-xzf', tarball, '-C', folder])
const wrong = checkContents(join(folder, 'package'))
for (const message of wrong) console.log(message)
if (wrong.length > 0) failed.push(['contents'])
rmSync(folder, { recursive: true })
console.log(
  `3 package checks: ${failed.length ? `${failed.map(([name]) => name).join(', ')} FAILED` : 'all passed'}`,
)
process.exitCode = failed.length ? 1 : 0

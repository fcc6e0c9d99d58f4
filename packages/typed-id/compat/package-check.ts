/*
 * Runs publint and Are The Types Wrong on the tarball that would be published, checks its files, and runs its documents
 * after it was packed under a scoped name: `pnpm --filter typed-id run package-check`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIBRARY, pack } from '../release/pack.ts'
import { checkContents } from './contents.ts'

const NAME = '@acme/typed-id'
const folder = mkdtempSync(join(tmpdir(), 'typed-id-pack-'))
const tarball = pack(LIBRARY, folder, NAME)
const env = {
  ...process.env,
  PACKED_NAME: NAME,
  PACKED_IN: installed(),
  // npx prints neither warnings nor a spinner between the lines of the command.
  npm_config_loglevel: 'silent',
  npm_config_progress: 'false',
}
const failed = [
  ['publint', 'run', tarball, '--strict'],
  // The profile leaves out node10, a resolution without `exports`, which TypeScript 7 no longer has.
  ['attw', tarball, '--profile', 'node16'],
  ['vitest', 'run', 'test/package/readme.test.ts', '--testTimeout=30000'],
].filter(([command, ...args]) => spawnSync(command as string, args, { stdio: 'inherit', env }).status !== 0)
const wrong = checkContents(join(folder, 'package'))
for (const message of wrong) console.log(message)
if (wrong.length > 0) failed.push(['contents'])
rmSync(folder, { recursive: true })
console.log(
  `4 package checks: ${failed.length ? `${failed.map(([name]) => name).join(', ')} FAILED` : 'all passed'}`,
)
process.exitCode = failed.length ? 1 : 0

/** Installs the tarball into a project that has the packages of the README's snippets, and returns its folder. */
function installed(): string {
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n')
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps', tarball], {
    cwd: project,
    stdio: 'ignore',
  })
  // Node looks for packages in the folders above, too.
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'))
  return project
}

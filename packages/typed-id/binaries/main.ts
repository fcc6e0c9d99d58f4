/*
 * Compiles the command into one executable file per system, which needs no Node: `pnpm --filter typed-id run binaries`.
 * They go into binaries/dist. The runtimes come from npm, so every system can build for all. The binary for the system
 * that builds is compared with the command on Node.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMOKE_CASES, smoke } from './smoke.ts'

const BUN = '1.4.5'
const TARGETS = ['linux-x64', 'linux-aarch64', 'darwin-x64', 'darwin-aarch64', 'windows-x64']
const here = import.meta.dirname
const dist = join(here, 'dist')
const cache = join(tmpdir(), `typed-id-bun-${BUN}`)
const system = process.platform === 'win32' ? 'windows' : process.platform
const host = `${system}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist, { recursive: true })
const sums: string[] = []
for (const target of TARGETS) {
  const file = `typed-id-${target}${target.startsWith('windows') ? '.exe' : ''}`
  const runtime = `--compile-executable-path=${bunFor(target)}`
  const args = ['build', '--compile', '--minify', `--target=bun-${target}`, runtime]
  execFileSync(bunFor(host), [...args, join(here, 'entry.ts'), '--outfile', join(dist, file)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const bytes = readFileSync(join(dist, file))
  sums.push(`${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`)
  console.log(`${file.padEnd(28)} ${(bytes.length / 1e6).toFixed(0)} MB`)
}
writeFileSync(join(dist, 'SHA256SUMS'), sums.join(''))

const own = readdirSync(dist).find((file) => file.replace('.exe', '') === `typed-id-${host}`)
if (!own) throw new Error(`expected one of ${TARGETS.join(', ')}, received ${host}`)
const failed = smoke(join(dist, own))
for (const message of failed) console.log(message)
console.log(`${own}: ${SMOKE_CASES - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length ? 1 : 0

/** Returns the path of Bun for a system, from its npm package, which npm would not install on another system. */
function bunFor(target: string): string {
  const folder = join(cache, target)
  const file = join(folder, 'package/bin', target.startsWith('windows') ? 'bun.exe' : 'bun')
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    const shell = process.platform === 'win32'
    execFileSync('npm', ['pack', '--silent', `@oven/bun-${target}@${BUN}`], { cwd: folder, shell })
    execFileSync('tar', ['-xzf', `oven-bun-${target}-${BUN}.tgz`], { cwd: folder })
  }
  return file
}

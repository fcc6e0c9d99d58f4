/*
 * Compiles the command into one executable file per system, which needs no Node: `pnpm --filter typed-id run binaries`.
 * They go into binaries/dist. The runtimes come from npm, so every system can build for all. The binary for the system
 * that builds is compared with the command on Node.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SMOKE_CASES, smoke } from './smoke.ts'

const BUN = '1.4.5'
/** Each system with the SHA-512 of Bun's npm package for it (`npm view @oven/bun-<system>@<version> dist.integrity`). */
const TARGETS: Readonly<Record<string, string>> = {
  'linux-x64': 'IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==',
  'linux-aarch64': '4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==',
  'darwin-x64': 'qkLPMGHZM9NI6CeHTWwVezzmlo6cC4Ta7yUAjYIWXS366qQcOlcp75t2uZyiuVRBMPS0h9qE0tCcvCHGaFqjJg==',
  'darwin-aarch64':
    '4MIFXHmctH2EhAxLXm2/qxNtv17dFtLJylvaOCsrgq6KSqHTs6eW5YSrJjRbJxYUJaR901fsN8JfZOa+CsWpWQ==',
  'windows-x64': 'FNvply651vcE/GHgNWz6mZvhmkwBuu8Hw54oNzA+CQog+HW+542rXQmZqNHRkFxazD9L3xi+iTtvO3engAgJfw==',
}
const here = import.meta.dirname
const dist = join(here, 'dist')
// Below the workspace: other users of the machine can write to a folder in /tmp whose name they know.
const cache = join(here, '../node_modules/.cache', `bun-${BUN}`)
const system = process.platform === 'win32' ? 'windows' : process.platform
const host = `${system}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist, { recursive: true })
const sums: string[] = []
for (const target of Object.keys(TARGETS)) {
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
if (!own) throw new Error(`expected one of ${Object.keys(TARGETS).join(', ')}, received ${host}`)
const failed = smoke(join(dist, own))
for (const message of failed) console.log(message)
console.log(`${own}: ${SMOKE_CASES - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length ? 1 : 0

/** Returns the path of Bun for a system, from its npm package, which npm would not install on another system. */
function bunFor(target: string): string {
  const folder = join(cache, target)
  const archive = join(folder, `oven-bun-${target}-${BUN}.tgz`)
  if (!existsSync(archive)) {
    mkdirSync(folder, { recursive: true })
    const shell = process.platform === 'win32'
    execFileSync('npm', ['pack', '--silent', `@oven/bun-${target}@${BUN}`], { cwd: folder, shell })
  }
  const hash = createHash('sha512').update(readFileSync(archive)).digest('base64')
  if (hash !== TARGETS[target])
    throw new Error(`${archive}: expected SHA-512 ${TARGETS[target]}, received ${hash}`)
  execFileSync('tar', ['-xzf', `oven-bun-${target}-${BUN}.tgz`], { cwd: folder })
  return join(folder, 'package/bin', target.startsWith('windows') ? 'bun.exe' : 'bun')
}

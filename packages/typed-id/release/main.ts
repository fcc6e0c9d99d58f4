/*
 * Checks the package in the current folder, and packs it into release/dist/ below it: `pnpm --filter typed-id run release`.
 * It stops at the first check that fails. `publish.ts` publishes the tarball. With `--dry-run`, a name, an origin or a changelog that would stop a release
 * is only reported.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkChangelog, checkTag, checkVersion, identityOf, ROOT } from './identity.ts'
import { checkName } from './owner.ts'
import { pack, publishedName } from './pack.ts'

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
const dryRun = values['dry-run']

const { name: workspaceName, version } = JSON.parse(readFileSync('package.json', 'utf8'))
const source = process.cwd()
const name = publishedName(source)
const tag = `${workspaceName}@${version}`
const folder = join(source, 'release/dist')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
let failures = 0
let identity: ReturnType<typeof identityOf> | undefined
let tarball = ''

await step(`${version} is a version`, () => checkVersion(version))
await origin('the repository and the author are known', () => {
  identity = identityOf(ROOT, `packages/${basename(source)}`)
})
await origin(`the name ${name} is ours or free`, () => checkName(name, ROOT.repository ?? 'no repository'))
await step('the working tree is clean', () => {
  const changes = output('git', 'status', '--porcelain')
  if (changes) throw new Error(`Not committed:\n${changes}`)
})
await origin(`the changelog has a section for ${version}, and no unreleased lines`, () =>
  checkChangelog(readFileSync('CHANGELOG.md', 'utf8'), version),
)
await step(`${tag} is no tag of another commit`, () => checkTag(tag, source))
await step('the package is built and packed', () => {
  tarball = pack(source, folder, name, identity)
})
await step('the package has every file of exports and bin, and no unexpected file', () => {
  const files = output('tar', '-tzf', tarball)
    .split('\n')
    .map((file) => file.replace('package/', './'))
  const { bin, exports = {} } = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'))
  for (const file of filesOf({ bin, exports })) {
    if (!files.includes(file)) throw new Error(`${file} is missing`)
  }
  for (const file of files) {
    if (
      !/^\.\/(dist\/.+\.(js|cjs|d\.c?ts(\.map)?)|dist\/vectors\.json|src\/(?!cli\b)([\w-]+\/)*[\w-]+\.ts|package\.json|README\.md|AGENTS\.md|CHANGELOG\.md|LICENSE)$/.test(
        file,
      )
    ) {
      throw new Error(`unexpected file ${file}`)
    }
    console.log(`   ${file}`)
  }
})

console.log(`\nPacked ${tarball}`)
if (failures > 0) process.exitCode = 1

/** Runs a check and prints its outcome. A release stops at the first failure; a dry run continues. */
async function step(claim: string, check: () => unknown): Promise<void> {
  try {
    await check()
    console.log(`ok ${claim}`)
  } catch (error) {
    failures++
    console.log(`FAILED ${claim}: ${(error as Error).message}`)
    if (!dryRun) process.exit(1)
  }
}

/** Runs a check of what is outside of the package. A release stops if it fails; a dry run only reports it. */
async function origin(claim: string, check: () => unknown): Promise<void> {
  if (!dryRun) return step(claim, check)
  try {
    await check()
    console.log(`ok ${claim}`)
  } catch (error) {
    console.log(`would stop here: ${(error as Error).message}`)
  }
}

/** Returns every file that `exports` and `bin` refer to. */
function filesOf(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(value as object).flatMap(filesOf)
}

function output(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1e8 }).trim()
}

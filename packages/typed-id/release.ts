/*
 * Publishes the package: `pnpm --filter typed-id release`. With `--dry-run` it runs every check and prints the commands
 * that would publish. The published tarball is the one whose files were checked.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
const dryRun = values['dry-run']

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const { version } = manifest
const name: string = manifest.publishConfig.name ?? manifest.name
const tag = `${manifest.name}@${version}`
const folder = mkdtempSync(join(tmpdir(), 'release-'))
let failures = 0

step('the working tree is clean', () => {
  const changes = output('git', 'status', '--porcelain')
  if (changes) throw new Error(`Not committed:\n${changes}`)
})
step(`the changelog has a section for ${version}`, () => {
  if (!readFileSync('CHANGELOG.md', 'utf8').includes(`\n## ${version}\n`))
    throw new Error(`No "## ${version}"`)
})
step(`${tag} is not tagged yet`, () => {
  if (output('git', 'tag', '--list', tag)) throw new Error('Raise the version in package.json')
})
step('the tests pass', () => run('pnpm', '-w', 'test', '--project', manifest.name))
step('the package is built and packed', pack)
step('the package has every file of exports and bin, and no unexpected file', () => {
  const files = tarball('-t')
    .split('\n')
    .map((file) => file.replace('package/', './'))
  const { bin, exports } = JSON.parse(tarball('-xO', 'package/package.json'))
  for (const file of filesOf({ bin, exports })) {
    if (!files.includes(file)) throw new Error(`${file} is missing`)
  }
  for (const file of files) {
    if (
      !/^\.\/(dist\/.+\.(js|cjs|d\.c?ts(\.map)?)|dist\/vectors\.json|src\/[\w-]+\.ts|package\.json|README\.md|llms\.txt|CHANGELOG\.md|LICENSE)$/.test(
        file,
      )
    ) {
      throw new Error(`unexpected file ${file}`)
    }
    console.log(`   ${file}`)
  }
})

const publish = ['npm', 'publish', tarballPath(), '--access', 'public', '--provenance']
if (dryRun) {
  console.log(`\nWould run: ${publish.join(' ')}\nWould run: git tag ${tag}`)
} else if (failures === 0) {
  // The CI that runs this signs the provenance: in GitHub Actions with `permissions: { id-token: write }`.
  run(...publish)
  run('git', 'tag', tag)
}
rmSync(folder, { recursive: true })
if (failures > 0) process.exitCode = 1

/** Runs a check and prints its outcome. A release stops at the first failure; a dry run continues. */
function step(claim: string, check: () => void): void {
  try {
    check()
    console.log(`ok ${claim}`)
  } catch (error) {
    failures++
    console.log(`FAILED ${claim}: ${(error as Error).message}`)
    if (!dryRun) process.exit(1)
  }
}

/** Packs the package with a README that uses the published name in its install and import lines. */
function pack(): void {
  const readme = readFileSync('README.md', 'utf8')
  try {
    writeFileSync('README.md', readme.replace(/(?<=from '|npm install |npx )typed-id/g, name))
    output('pnpm', 'pack', '--pack-destination', folder)
  } finally {
    writeFileSync('README.md', readme)
  }
}

function tarballPath(): string {
  return join(folder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
}

function tarball(mode: string, ...files: string[]): string {
  return output('tar', '-z', '-f', tarballPath(), mode, ...files)
}

/** Returns every file that `exports` and `bin` refer to. */
function filesOf(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(value as object).flatMap(filesOf)
}

function output(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1e8 }).trim()
}

function run(...[command = '', ...args]: string[]): void {
  execFileSync(command, args, { stdio: 'inherit' })
}

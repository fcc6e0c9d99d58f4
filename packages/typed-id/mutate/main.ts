/*
 * Mutation testing: Stryker changes the sources in many small ways (mutants) and runs the tests on each change.
 * `pnpm --filter typed-id run mutate [files]` fails for a mutant that no test detects (a survivor), unless survivors.md
 * lists it with the reason why no test can detect it.
 *
 * Stryker has 150 dependencies, so it is installed into a temporary folder instead of the workspace. The tests run
 * there on a copy of the sources, with the Vitest of the workspace.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const VERSION = '10.1.1'
const SCORE = 95

/**
 * Runs the tests of the core, without those in subfolders, which also need other files, but with those of SQLite. Without
 * the tests that start a server, which takes half the time of a mutant, or processes, which import unchanged sources. Slow
 * test files run last.
 */
const CONFIG = `import { BaseSequencer } from 'vitest/node'

const SLOW = ['generate', 'fuzz', 'sqlite']
const rank = ({ moduleId }) => SLOW.findIndex((name) => moduleId.endsWith(name + '.test.ts'))

class QuickFirst extends BaseSequencer {
  sort = (files) => files.sort((a, b) => rank(a) - rank(b))
}

export default {
  test: {
    include: ['test/*.test.ts', 'test/sql/sqlite.test.ts'],
    exclude: ['test/generate-in-processes.test.ts'],
    env: { WITHOUT_SERVERS: '1' },
    sequence: { sequencer: QuickFirst },
    testTimeout: 60_000, // a test that times out on a busy machine would count as detecting the mutant
  },
}
`

const here = dirname(import.meta.dirname)
const folder = join(tmpdir(), `typed-id-mutate-${VERSION}`)
const inFolder = (path: string) => join(folder, path)

mkdirSync(folder, { recursive: true })
writeFileSync(inFolder('package.json'), '{ "private": true, "type": "module" }\n')
if (!existsSync(inFolder('node_modules/@stryker-mutator/core'))) {
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`)
  const flags = ['--no-audit', '--no-fund', '--legacy-peer-deps']
  execFileSync('npm', ['install', ...flags, ...packages], { cwd: folder, stdio: 'inherit' })
}
for (const name of ['vitest', 'typescript']) link(name, join(here, '../../node_modules', name))
const { devDependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
for (const name of Object.keys(devDependencies)) link(name, join(here, 'node_modules', name))
for (const name of ['src', 'test', 'build-vectors.ts']) {
  rmSync(inFolder(name), { recursive: true, force: true })
  cpSync(join(here, name), inFolder(name), { recursive: true })
}
writeFileSync(inFolder('vitest.config.js'), CONFIG)
const wanted = process.argv.slice(2)
writeFileSync(
  inFolder('stryker.config.json'),
  JSON.stringify({
    testRunner: 'vitest',
    mutate: wanted.length ? wanted : ['src/*.ts', 'src/{core,kysely,typeid}/*.ts', '!src/cli.ts'],
    coverageAnalysis: 'perTest',
    concurrency: 2,
    timeoutMS: 20_000,
    thresholds: { high: 100, low: SCORE, break: SCORE },
    reporters: ['clear-text', 'json', 'progress-append-only'],
    clearTextReporter: { reportTests: false, allowColor: false },
    disableTypeChecks: false,
    checkers: [],
    warnings: false,
  }),
)
const { status } = spawnSync(process.execPath, ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run'], {
  cwd: folder,
  stdio: 'inherit',
})
const unlisted = findUnlistedSurvivors(inFolder('reports/mutation/mutation.json'))
for (const survivor of unlisted) console.error(`not in mutate/survivors.md: ${survivor}`)
process.exitCode = status || Number(unlisted.length > 0)

function link(name: string, target: string): void {
  const path = inFolder(join('node_modules', name))
  rmSync(path, { recursive: true, force: true }) // may point to another checkout
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

/** The part of the report that is read here: https://github.com/stryker-mutator/mutation-testing-elements */
interface Mutant {
  readonly status: string
  readonly replacement: string
  readonly location: Readonly<Record<'start' | 'end', { readonly line: number; readonly column: number }>>
}

/** Returns the survivors that survivors.md does not list: file, code and replacement. */
function findUnlistedSurvivors(report: string): string[] {
  const list = readFileSync(new URL('survivors.md', import.meta.url), 'utf8')
  const { files } = JSON.parse(readFileSync(report, 'utf8'))
  return Object.entries<{ source: string; mutants: Mutant[] }>(files)
    .flatMap(([name, { source, mutants }]) =>
      mutants
        .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
        .map(
          ({ location, replacement }) =>
            `${name} ${code(readCode(source, location))} to ${code(replacement)}`,
        ),
    )
    .filter((survivor) => !list.includes(`- ${survivor}: `))
}

function code(text: string): string {
  return `\`${text.replace(/\s+/g, ' ')}\``
}

/** Returns the code at a location. Lines and columns of Stryker start at 1. */
function readCode(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  lines.push((lines.pop() ?? '').slice(0, end.column - 1))
  lines[0] = (lines[0] ?? '').slice(start.column - 1)
  return lines.join('\n')
}

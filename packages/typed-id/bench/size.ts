import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { REPOSITORY } from 'testkit/repository.ts'
import { formatTable, replaceSection } from 'testkit/tables.ts'
import { median } from './harness.ts'

/*
 * Prints the sizes of the built files by size-limit, whose limits are in .size-limit.json, and fails if one is exceeded:
 * `pnpm --filter typed-id run size`. `--write` writes the table of docs/benchmarks.md. The pages that name the size of
 * `defineId` must name the measured one.
 */
interface Size {
  name: string
  size: number
  sizeLimit?: number
}

const { stdout, status } = spawnSync('size-limit', ['--json'], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
})
const sizes: Size[] = JSON.parse(stdout)
const table = formatTable({
  columns: ['import', 'bytes', 'limit'],
  rows: sizes.map(({ name, size, sizeLimit }) => [
    name,
    size,
    sizeLimit?.toLocaleString('en') ?? '',
  ]),
})
console.log(table)
const page = new URL('docs/benchmarks.md', REPOSITORY)
if (process.argv.includes('--write'))
  writeFileSync(page, replaceSection(readFileSync(page, 'utf8'), 'size', table))
const measured = `${Math.ceil((sizes[0]?.size ?? 0) / 100) / 10} kB`
const wrong = [
  'README.md',
  'packages/typed-id/README.md',
  'docs/index.md',
  'docs/benchmarks.md',
].filter((file) =>
  readFileSync(new URL(file, REPOSITORY), 'utf8')
    .match(/[\d.]+ kB/g)
    ?.some((stated) => stated !== measured),
)
if (wrong.length > 0)
  console.log(`expected ${measured} for defineId in ${wrong.join(', ')}`)
process.exitCode = wrong.length > 0 ? 1 : (status ?? 1)

/*
 * Compares the time that a new Node process takes to import the built package with two others: typeid-js and an empty
 * module. Fails if typed-id needs more than a third of the time of typeid-js. Both are measured in the same run, so the
 * result does not depend on the speed of the machine.
 */
const ROUNDS = 21
const MAX_SHARE = 1 / 3 // of the time that typeid-js takes
const MODULES = {
  'typed-id': new URL('../dist/index.js', import.meta.url).href,
  'typeid-js': import.meta.resolve('typeid-js'),
  'an empty module': 'data:text/javascript,',
}

function measureImport(url: string): number {
  const code = `const start = performance.now(); await import('${url}'); console.log(performance.now() - start)`
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '--eval', code]),
  )
}

const times = new Map(
  Object.keys(MODULES).map((name) => [name, [] as number[]]),
)
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, url] of Object.entries(MODULES))
    times.get(name)?.push(measureImport(url))
}
const [ours, theirs, empty] = [...times.values()].map(median) as [
  number,
  number,
  number,
]
const isWithinLimit = ours <= theirs * MAX_SHARE
console.log(
  `import of typed-id: ${ours.toFixed(2)} ms (typeid-js: ${theirs.toFixed(2)} ms, an empty module: ${empty.toFixed(2)} ms), ${isWithinLimit ? 'ok' : 'MORE than a third of typeid-js'}`,
)
if (!isWithinLimit) process.exitCode = 1

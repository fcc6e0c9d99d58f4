import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { formatTable, REPOSITORY, replaceSection } from 'testkit/documents.ts'

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

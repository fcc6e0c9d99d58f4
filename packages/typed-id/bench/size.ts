import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { formatTable, REPOSITORY, replaceSection } from 'testkit/documents.ts'

/*
 * Prints the sizes of the built files by size-limit, whose limits are in .size-limit.json, and fails if one is exceeded:
 * `pnpm --filter typed-id run size`. `--write` writes the table of docs/benchmarks.md.
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
process.exitCode = status ?? 1

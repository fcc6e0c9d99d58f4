import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { formatTable, REPOSITORY, replaceSection } from 'testkit/documents.ts'

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
  columns: ['import', 'bytes, gzipped', 'limit'],
  rows: sizes.map(({ name, size, sizeLimit }) => [
    name,
    size,
    sizeLimit?.toLocaleString('en') ?? '',
  ]),
})
console.log(table)
const page = new URL('docs/benchmarks.md', REPOSITORY)
const current = readFileSync(page, 'utf8')
const updated = replaceSection(current, 'size', table)
const isStale = updated !== current && !process.argv.includes('--write')
if (isStale) console.log('docs/benchmarks.md has other sizes: pass --write')
else writeFileSync(page, updated)
process.exitCode = isStale ? 1 : (status ?? 1)

/*
 * Prints what the ways to store ids cost on PostgreSQL 18 and SQLite: `pnpm --filter typed-id run bench:storage`
 *
 * `--rows N` sets the number of rows, 1,000,000 by default. `--write` also writes the table into the page on storage. Times are
 * processor times of the process that executes the query; it needs Linux.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { replaceSection } from 'testkit/tables.ts'
import { REPOSITORY } from '../repository.ts'
import { postgres } from '../src/cli/sql/postgres.ts'
import { sqlite } from '../src/cli/sql/sqlite.ts'
import { defineId } from '../src/index.ts'
import type { Engine } from './storage/engine.ts'
import { measureStorage, type Result } from './storage/measure.ts'
import { openPostgres } from './storage/postgres.ts'
import { summarize, toTable } from './storage/report.ts'
import { openSqlite } from './storage/sqlite.ts'

const PAGE = new URL('docs/guide/storage.md', REPOSITORY)

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, write: { type: 'boolean' } },
})
const rows = Number(values.rows)
const types = [defineId('user')]
const [check] = /check \([\s\S]+?\n {2}\)/.exec(sqlite.create(types)) as RegExpExecArray

const results: Result[] = []
for (const open of [() => openPostgres(postgres.create(types)), () => openSqlite(check)]) {
  const engine: Engine = await open()
  results.push(...(await measureStorage(engine, rows)))
  await engine.close()
}

const text = [
  ...summarize(results),
  '',
  toTable(results),
  '',
  `A table of ${rows.toLocaleString('en')} users and one with as many references to them, measured on ${new Date().toISOString().slice(0, 10)} with PostgreSQL 18`,
  `and better-sqlite3 on ${cpus().length} cores of ${cpus()[0]?.model.trim()}. Times are processor times, medians of seven interleaved`,
  `rounds; half of the rounds are within ${percent()} of them. "Next rows" are the next 10,000 rows in the order of the keys.`,
  '`pnpm --filter typed-id run bench:storage --write` writes this text.',
].join('\n')
console.log(text)
if (values.write) writeFileSync(PAGE, replaceSection(readFileSync(PAGE, 'utf8'), 'storage', text))

function percent(): string {
  return `${Math.ceil(Math.max(...results.map(({ spread }) => spread)) * 100)} %`
}

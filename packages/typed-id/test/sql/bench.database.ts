import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('the storage benchmark measures each way, and native ids take less space than text ids', async () => {
  const file = fileURLToPath(new URL('../../bench/storage.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [file, '--rows', '20000'])
  const figures = [...stdout.matchAll(/^\| (?:PostgreSQL 18|SQLite) .+$/gm)].map(([line]) =>
    line
      .split('|')
      .slice(3, -1)
      .map((cell) => Number(cell.replaceAll(',', ''))),
  )
  expect(figures.flat()).toHaveLength(6 * 6)
  for (const figure of figures.flat()) expect(figure).toBeGreaterThan(0)
  const sizes = figures.map(([tables = 0, indexes = 0]) => ({ tables, indexes, all: tables + indexes }))
  const [text, native, version4, textOnSqlite, nativeOnSqlite] = sizes
  expect(native?.tables).toBeLessThan(0.75 * Number(text?.tables))
  expect(native?.indexes).toBeLessThan(0.6 * Number(text?.indexes))
  expect(nativeOnSqlite?.all).toBeLessThan(0.65 * Number(textOnSqlite?.all))
  // Random keys leave free space in the pages of an index.
  expect(text?.all).toBeLessThan(Number(version4?.all))
}, 120_000)

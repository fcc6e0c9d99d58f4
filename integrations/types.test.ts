import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compileErrors } from './compile.ts'
import { ORMS } from './orm/cases.ts'

/*
 * One file, because a process compiles this folder once, in 6 s of processor time. `clients` is compiled apart. Recipes
 * pass the ids that they receive to functions that accept the id of a user only. Wrong ids are marked with
 * `@ts-expect-error`, which is itself an error if the line compiles.
 */

test('everything compiles, so each recipe has typed ids, and no marked line compiles', async () => {
  expect(await compileErrors('.')).toEqual([])
})

test.each(Object.entries(ORMS))('%s: lines with an id of another type are marked', async (_, folder) => {
  const source = readFileSync(join(import.meta.dirname, 'orm', folder, 'store.ts'), 'utf8')
  expect(source.match(/@ts-expect-error/g)?.length).toBeGreaterThanOrEqual(3)
})

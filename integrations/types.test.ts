import { expect, test } from 'vitest'
import { compileErrors } from './compile.ts'

/*
 * One file, because a process compiles this folder once, in 6 s of processor time. `clients` is compiled apart. Recipes
 * pass the ids that they receive to functions that accept the id of a user only. Wrong ids are marked with
 * `@ts-expect-error`, which is itself an error if the line compiles.
 */

test('everything compiles, so each recipe has typed ids, and no marked line compiles', async () => {
  expect(await compileErrors('.')).toEqual([])
})

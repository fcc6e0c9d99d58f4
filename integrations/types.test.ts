import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compileErrors } from './compile.ts'
import { ORMS } from './orm/cases.ts'

/*
 * One file, because a process compiles this folder once, in 6 s of processor time. `clients` is compiled apart.
 */

test('everything compiles', async () => {
  expect(await compileErrors('.')).toEqual([])
})

/** `store.ts` marks each wrong id with `@ts-expect-error`, which is itself an error if the line compiles. */
test.each(Object.entries(ORMS))('%s: an id of another type does not compile', async (_, folder) => {
  const source = readFileSync(join(import.meta.dirname, 'orm', folder, 'store.ts'), 'utf8')
  expect(source.match(/@ts-expect-error/g)?.length).toBeGreaterThanOrEqual(3)
  expect(await compileErrors('.', `orm/${folder}/`)).toEqual([])
})

test.each(globSync('{frameworks,validators}/*/recipe.ts', { cwd: import.meta.dirname }))(
  '%s compiles, so the id has the type UserId',
  async (file) => expect(await compileErrors('.', file)).toEqual([]),
)

test('findUser does not compile with an id of another type, a string or any', async () => {
  expect(await compileErrors('.', 'frameworks/wrong-type.ts')).toEqual([])
})

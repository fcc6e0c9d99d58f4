import { describe, expect, test } from 'vitest'
import { compileErrors, uncheckedFiles, wrongIds } from './compile.ts'
import { GENERATORS } from './generators.ts'
import { linesOf, readPage } from './table.ts'

/** Each compiles all clients in 7 s of processor time; its output serves every generator. */
const timeout = 180_000

describe.each(GENERATORS)('$package', ({ folder }) => {
  test('the plugin has at most 30 lines', () => {
    expect(linesOf(folder)).toBeLessThanOrEqual(30)
  })

  test('the clients compile, and no wrong id does', { timeout }, async () => {
    expect(uncheckedFiles(folder)).toEqual([])
    expect(await compileErrors('typed', folder)).toEqual([])
    expect(await wrongIds('typed', folder)).toEqual({ total: 7, compile: 0 })
  })

  test('without the plugin, the clients compile, and so do wrong ids', { timeout }, async () => {
    const errors = await compileErrors('plain', folder)
    expect(errors.filter((line) => line.startsWith('clients/generated/'))).toEqual([])
    expect((await wrongIds('plain', folder)).compile).toBeGreaterThanOrEqual(5)
  })
})

test('the table in docs/guide/clients.md is true (`node clients/table.ts --write` writes it)', {
  timeout,
}, async () => {
  const { stated, measured, table } = await readPage()
  console.log(table)
  expect(stated).toBe(measured)
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ID_DOCUMENTS, Ids } from './documents.ts'
import { GENERATORS, outputFolder, VARIANTS } from './generators.ts'
import { clientErrors, readPage, wrongIds } from './table.ts'

/** Compiling all clients takes 7 s of processor time. The tests of every generator use the same output. */
const timeout = 180_000

test('everything compiles, so each client has the types of all schema functions', { timeout }, async () => {
  expect(await clientErrors('typed')).toEqual([])
})

describe.each(GENERATORS)('$package', ({ folder }) => {
  test('the compiler checks the clients, and no wrong id compiles', { timeout }, async () => {
    expect(uncheckedFiles(folder)).toEqual([])
    expect(await wrongIds('typed', folder)).toEqual({ total: 8, compile: 0 })
  })

  test('without the plugin, the clients compile, and so do wrong ids', { timeout }, async () => {
    expect(await clientErrors('plain', `clients/generated/plain/${folder}/`)).toEqual([])
    expect((await wrongIds('plain', folder)).compile).toBeGreaterThanOrEqual(5)
  })
})

test('without the plugins, no client has the types of the schema functions', { timeout }, async () => {
  expect(await clientErrors('plain', 'clients/generated/cells.ts')).toHaveLength(
    GENERATORS.length * ID_DOCUMENTS.length * Object.keys(Ids.shape).length,
  )
})

test('the table in docs/guide/clients.md is true (`node clients/table.ts --write` writes it)', {
  timeout,
}, async () => {
  const { stated, measured, table } = await readPage()
  console.log(table)
  expect(stated).toBe(measured)
})

/** Returns the generated files that the compiler does not check. */
function uncheckedFiles(folder: string): string[] {
  const files = VARIANTS.flatMap((variant) => globSync(join(outputFolder(variant, folder), '**/*.ts')))
  return files.filter((file) => readFileSync(file, 'utf8').includes('@ts-nocheck'))
}

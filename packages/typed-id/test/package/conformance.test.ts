import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { conformance } from '../../compat/conformance.mjs'
import { SUBPATHS } from '../../subpaths.ts'

const folder = new URL('../vectors/', import.meta.url)

test('the sources pass the cases of the compat run', async () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  const vectors = Object.fromEntries(
    files.map((file) => [basename(file, '.json'), JSON.parse(readFileSync(new URL(file, folder), 'utf8'))]),
  )
  const library = Object.fromEntries(
    await Promise.all(SUBPATHS.map(async ({ name }) => [name, await import(`../../src/${name}.ts`)])),
  )
  const { passed, failed } = await conformance(library, vectors)
  expect(failed).toEqual([])
  expect(passed).toBeGreaterThan(300)
})

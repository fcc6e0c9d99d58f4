import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CASES, conformance } from '../../compat/conformance.mjs'
import { readVectors } from '../../compat/install.ts'
import { SUBPATHS } from '../../subpaths.ts'

const readText = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const consumer = readText('compat/consumer.ts')

/** The exports of each subpath as the README lists them: `| \`typed-id/name\` | \`idFromName\` |`. */
const documented = new Map(
  [...readText('README.md').matchAll(/^\| `(typed-id[^`]*)` +\| (.+?) +\|$/gm)].map(
    ([, specifier, names]) => [specifier, [...String(names).matchAll(/`(\w+)`/g)].map(([, name]) => name)],
  ),
)

describe.each(SUBPATHS)('the subpath $specifier', ({ specifier, name }) => {
  test('has conformance cases for the compat run', () => {
    expect(Object.keys(CASES), `CASES in compat/conformance.mjs lack "${name}"`).toContain(name)
  })

  test('is compiled by the consumer of the compat run', () => {
    expect(consumer).toContain(`from '${specifier}'`)
  })

  test('is in the README with each of its exports', async () => {
    const exports = Object.keys(await import(`../../src/${name}.ts`))
    expect(
      documented.get(specifier),
      `the README's table of imports lacks ${specifier} or an export of it`,
    ).toEqual(expect.arrayContaining(exports))
  })
})

test('the sources pass the cases of the compat run', async () => {
  const library = Object.fromEntries(
    await Promise.all(SUBPATHS.map(async ({ name }) => [name, await import(`../../src/${name}.ts`)])),
  )
  const { passed, failed } = await conformance(library, readVectors())
  expect(failed).toEqual([])
  expect(passed).toBeGreaterThan(300)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VECTORS } from '../build-vectors.ts'
// @ts-expect-error: JavaScript without declarations, as each runtime runs it
import { conformance } from '../compat/conformance.mjs'
import { SUBPATHS } from '../subpaths.ts'
import { CLAIMS } from './fuzz/claims.ts'
import { anything, HOSTILE } from './fuzz/values.ts'
import typeid from './vectors/typeid.json' with { type: 'json' }

const VALUES = [
  ...HOSTILE,
  ...fc.sample(anything, { numRuns: process.env.QUICK ? 200 : 2000, seed: 1 }),
]

test.each(CLAIMS)(
  '%s has the results of the reference implementation, and every error is a TypedIdError',
  async (_, check) => {
    for (const value of VALUES) await check(value)
  },
)

test('the sources conform to the published vectors, as each runtime must', async () => {
  const library = SUBPATHS.map(async ({ name }) => [
    name,
    await import(`../src/${name}.ts`),
  ])
  const { passed, failed } = await conformance(
    Object.fromEntries(await Promise.all(library)),
    { ...VECTORS, typeid },
  )
  expect(failed).toEqual([])
  expect(passed).toBeGreaterThan(Object.values(VECTORS).flat().length)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VECTORS } from '../build-vectors.ts'
// @ts-expect-error: JavaScript without declarations, as each runtime runs it
import { conformance } from '../compat/conformance.mjs'
import { defineId } from '../src/index.ts'
import { SUBPATHS } from '../subpaths.ts'
import { CLAIMS } from './fuzz/claims.ts'
import { anyNumber, anything, HOSTILE } from './fuzz/values.ts'
import * as reference from './reference.ts'
import typeid from './vectors/typeid.json' with { type: 'json' }

/** The same values in every run. */
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

test('both forms sort in the order of their numbers', () => {
  const UserId = defineId('user')
  fc.assert(
    fc.property(anyNumber, anyNumber, (a, b) => {
      const [idA, idB] = [
        UserId.fromBytes(reference.bytesOfNumber(a)),
        UserId.fromBytes(reference.bytesOfNumber(b)),
      ]
      expect(idA < idB).toBe(a < b)
      expect(UserId.toShort(idA) < UserId.toShort(idB)).toBe(a < b)
    }),
  )
})

test.each(VECTORS.valid)(
  'valid: $why, $prefix: the vector matches the reference implementation',
  ({ uuid, short }) => {
    const [number, suffix] = [reference.numberOfUuid(uuid), short.slice(-26)]
    expect(reference.suffixOfNumber(number)).toBe(suffix)
    expect(reference.numberOfSuffix(suffix)).toBe(number)
  },
)

// The claims above test every function with the invalid vectors.
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

import { expect, test } from 'vitest'
import { VECTORS } from '../build-vectors.ts'
// @ts-expect-error: JavaScript without declarations, as each runtime runs it
import { conformance } from '../compat/conformance.mjs'
import { SUBPATHS } from '../subpaths.ts'
import * as reference from './reference.ts'
import typeid from './vectors/typeid.json' with { type: 'json' }

test.each(VECTORS.valid)(
  'valid: $why, $prefix: the vector matches the reference implementation',
  ({ uuid, short }) => {
    const [number, suffix] = [reference.numberOfUuid(uuid), short.slice(-26)]
    expect(reference.suffixOfNumber(number)).toBe(suffix)
    expect(reference.numberOfSuffix(suffix)).toBe(number)
  },
)

// For the invalid vectors, fuzz.test.ts tests every function.
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
  expect(passed).toBeGreaterThan(200)
})

import { expect, test } from 'vitest'
import { compareWithReference } from './differential.ts'

test('the conversions match the reference implementation on 100,000 valid and corrupted texts', () => {
  expect(compareWithReference(100_000, 1)).toBe(100_000)
})

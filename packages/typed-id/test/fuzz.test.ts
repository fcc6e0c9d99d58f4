import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defineId } from '../src/index.ts'
import { CLAIMS } from './fuzz/claims.ts'
import { anyNumber, anything, HOSTILE } from './fuzz/values.ts'
import { bytesOfNumber } from './reference.ts'

const RUNS = process.env.QUICK ? 200 : 2000

describe('the reference implementation has the same results, and every error is a TypedIdError', () => {
  test.each(Object.entries(CLAIMS))('%s', async (_, claim) => {
    for (const value of HOSTILE) await claim(value)
    await fc.assert(fc.asyncProperty(anything, claim), {
      numRuns: RUNS,
      seed: 1,
    })
  })
})

test('both forms sort in the order of their numbers', () => {
  const UserId = defineId('user')
  fc.assert(
    fc.property(anyNumber, anyNumber, (a, b) => {
      const [idA, idB] = [
        UserId.fromBytes(bytesOfNumber(a)),
        UserId.fromBytes(bytesOfNumber(b)),
      ]
      expect(idA < idB).toBe(a < b)
      expect(UserId.toShort(idA) < UserId.toShort(idB)).toBe(a < b)
    }),
    { numRuns: 5000 },
  )
})

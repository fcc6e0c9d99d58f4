import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defineId } from '../src/index.ts'
import { CLAIMS } from './fuzz/claims.ts'
import { CHECKS } from './fuzz/main.ts'
import { anyNumber, HOSTILE } from './fuzz/values.ts'
import { bytesOfNumber } from './reference.ts'

describe('the result is that of the reference implementation, and every error a TypedIdError', () => {
  test.each(Object.entries(CLAIMS))('%s, for each hostile value', async (_, claim) => {
    for (const value of HOSTILE) await claim(value)
  })

  test.each(CHECKS)('%s, for random values', (_, __, check) => check(1))
})

test('both forms sort in the order of their numbers', () => {
  const UserId = defineId('user')
  fc.assert(
    fc.property(anyNumber, anyNumber, (a, b) => {
      const [idA, idB] = [UserId.fromBytes(bytesOfNumber(a)), UserId.fromBytes(bytesOfNumber(b))]
      expect(idA < idB).toBe(a < b)
      expect(UserId.toShort(idA) < UserId.toShort(idB)).toBe(a < b)
    }),
    { numRuns: 5000 },
  )
})

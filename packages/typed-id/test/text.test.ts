import { expect, test } from 'vitest'
import { agree } from './agree.ts'

test('the fast code agrees with its obvious twin on 100,000 random and spoilt texts', () => {
  expect(agree(100_000, 1)).toBe(100_000)
})

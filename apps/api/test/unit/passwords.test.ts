import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { createPasswordHasher } from '../../src/profile-a/passwords.ts'

test('100 passwords wait to be hashed, and further ones are rejected', async () => {
  const { hash } = createPasswordHasher()
  const hashes = await Promise.allSettled(
    Array.from({ length: 110 }, () => hash('x')),
  )
  const running = Math.min(4, availableParallelism() + 1)
  expect(hashes.map(({ status }) => status).indexOf('rejected')).toBe(
    100 + running,
  )
})

import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { createPasswordHasher } from '../../src/profile-a/passwords.ts'

test('100 passwords wait to be hashed, and further ones are rejected', async () => {
  const metrics = new Map<string, () => number>()
  const { hash } = createPasswordHasher(({ name, read }) =>
    metrics.set(name, read),
  )
  const hashes = Array.from({ length: 110 }, () => hash('x'))
  const running = Math.min(4, availableParallelism() + 1)
  await expect(hashes[100 + running]).rejects.toThrow('waiting to be hashed')
  expect(metrics.get('password_hashes_waiting')?.()).toBe(100)
  const statuses = (await Promise.allSettled(hashes)).map((hash) => hash.status)
  expect(statuses.indexOf('rejected')).toBe(100 + running)
  expect(metrics.get('password_hashes_waiting')?.()).toBe(0)
  expect(metrics.get('password_hashes_rejected_total')?.()).toBe(10 - running)
})

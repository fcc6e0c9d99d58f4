import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { OverloadError } from '../../src/errors.ts'
import {
  createPasswordHasher,
  QUEUE_LIMIT,
} from '../../src/profile-a/passwords.ts'

const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 }

test('passwords are hashed on one thread more than there are cores, at most 4, and a full queue rejects the next', async () => {
  const counts = new Map<string, () => number>()
  const hasher = createPasswordHasher(
    ({ name, read }) => counts.set(name, read),
    CHEAP,
  )
  const threads = Math.min(4, availableParallelism() + 1)
  const hashes = Array.from({ length: threads + QUEUE_LIMIT }, () =>
    hasher.hash('x'),
  )
  expect(counts.get('password_hashes_waiting')?.()).toBe(QUEUE_LIMIT)
  await expect(hasher.hash('x')).rejects.toThrow(OverloadError)
  expect(counts.get('password_hashes_rejected_total')?.()).toBe(1)
  expect(new Set(await Promise.all(hashes)).size).toBe(hashes.length)
})

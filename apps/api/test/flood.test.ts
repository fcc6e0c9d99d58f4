import { expect, test } from 'vitest'
import { measureFlood } from './flood.ts'

test('under a flood of registrations every read is answered, and what is too much gets 503 with Retry-After', async () => {
  // Hashing no more than a fifth of what comes, on any machine.
  const { reads, flood } = await measureFlood(500, 1, 1, {
    env: { PASSWORD_HASHES: '1', PASSWORD_QUEUE: '10' },
  })
  expect(reads).toEqual({ 200: 400 })
  expect(flood).toEqual({ 201: expect.any(Number), 503: expect.any(Number) })
  expect((flood[201] ?? 0) + (flood[503] ?? 0)).toBe(750)
}, 30_000)

import { availableParallelism } from 'node:os'
import { hash } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { OverloadError, UnavailableError } from '../errors.ts'
import type { Watch } from '../metric.ts'

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane; about 20 ms. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * One more than there are cores, so that no core is idle between hashes, but at
 * most 4, the number of threads in Node's pool.
 */
const CONCURRENCY = Math.min(4, availableParallelism() + 1)

/** Limits the wait for a hash to 2 s on one core. */
export const QUEUE_LIMIT = 100

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

export function createPasswordHasher(watch?: Watch, cost = COST) {
  const limit = pLimit(CONCURRENCY)
  let rejected = 0
  watch?.({
    type: 'gauge',
    name: 'password_hashes_waiting',
    help: 'Number of passwords waiting to be hashed',
    read: () => limit.pendingCount,
  })
  watch?.({
    type: 'counter',
    name: 'password_hashes_rejected_total',
    help: 'Number of passwords rejected by a full queue',
    read: () => rejected,
  })
  return {
    async hash(password: string): Promise<string> {
      if (limit.pendingCount >= QUEUE_LIMIT) {
        rejected += 1
        throw new OverloadError(
          `${limit.pendingCount} passwords are waiting to be hashed`,
        )
      }
      return limit(() => hash(password, cost)).catch((cause: Error) => {
        if (cause.message !== 'Memory allocation error') throw cause
        throw new UnavailableError('no memory to hash a password', { cause })
      })
    },
  }
}

import { hash } from '@node-rs/argon2'
import { UnavailableError } from '../errors.ts'
import type { PasswordQueue } from './password-queue.ts'
import { lowerThreadPriority } from './thread-priority.ts'

/** OWASP's minimum for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. Takes about 20 ms. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type HashPassword = (password: string) => Promise<string>

/**
 * Returns a function that hashes a password into the PHC string format (97 characters) with a new salt. One hash takes
 * 20 ms of a core and 19 MiB, more than any other operation, so hashes are queued.
 *
 * @throws OverloadError when the queue is full, UnavailableError when there is no memory.
 */
export function createPasswordHasher(queue: PasswordQueue): HashPassword {
  let lowered: Promise<unknown> | undefined
  return (password) => {
    // Best effort, once: the priority cannot be changed everywhere, and hashing works without it.
    lowered ??= lowerThreadPriority().catch(() => 0)
    return queue.run(async () => {
      await lowered
      return hash(password, COST).catch(rethrow)
    })
  }
}

/** The library has no code for its errors. With a fixed cost, a lack of memory is the only one that can pass. */
function rethrow(error: Error): never {
  if (error.message !== 'Memory allocation error') throw error
  throw new UnavailableError('no memory for a password hash', { cause: error })
}

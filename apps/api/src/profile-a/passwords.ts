import { hash } from '@node-rs/argon2'
import { UnavailableError } from '../errors.ts'
import type { PasswordQueue } from './password-queue.ts'

/** OWASP's minimum for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. Takes about 20 ms. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export type HashPassword = (password: string) => Promise<string>

/**
 * Returns a function that hashes a password into the PHC string format (97 characters) with a new salt. One hash takes
 * 20 ms of a core and 19 MiB, more than any other operation, so hashes are queued.
 *
 * @throws OverloadError when the queue is full, UnavailableError when there is no memory.
 */
export const createPasswordHasher =
  (queue: PasswordQueue): HashPassword =>
  (password) =>
    queue.run(() => hash(password, COST).catch(rethrow))

/** Recognizes a lack of memory by its message, as errors have no code. At a fixed cost, no other error is temporary. */
function rethrow(error: Error): never {
  if (error.message !== 'Memory allocation error') throw error
  throw new UnavailableError('no memory for a password hash', { cause: error })
}

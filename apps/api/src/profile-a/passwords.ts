import { hash } from '@node-rs/argon2'
import type { Limiter } from '../limiter.ts'

/** OWASP's minimum for argon2id (the library's default algorithm): 19 MiB, two passes, one lane; about 20 ms on a thread of its own. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * The password in the PHC string format (97 characters), salted anew at every call. Nothing else costs as much as this
 * (20 ms of a core and 19 MiB), so it takes its turn; throws an OverloadedError when too many wait for theirs.
 */
export const hashPassword = (hashing: Limiter, password: string): Promise<string> =>
  hashing.run(() => hash(password, COST))

import { hash } from '@node-rs/argon2'

/** OWASP's minimum for argon2id (the library's default algorithm): 19 MiB, two passes, one lane; about 20 ms on a thread of its own. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The password in the PHC string format (97 characters), salted anew at every call. */
export const hashPassword = (password: string): Promise<string> => hash(password, COST)

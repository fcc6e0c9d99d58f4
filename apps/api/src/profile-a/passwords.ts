import { readdir, readFile } from 'node:fs/promises'
import { getPriority, platform, setPriority } from 'node:os'
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
export function createPasswordHasher(queue: PasswordQueue): HashPassword {
  let lowered: Promise<unknown> | undefined
  return (password) => {
    // Lowers the priority once. Ignores errors, because not every system permits it, and hashing works without it.
    lowered ??= lowerThreadPriority().catch(() => {})
    return queue.run(async () => {
      await lowered
      return hash(password, COST).catch(rethrow)
    })
  }
}

/** Recognizes a lack of memory by its message, as errors have no code. At a fixed cost, no other error is temporary. */
function rethrow(error: Error): never {
  if (error.message !== 'Memory allocation error') throw error
  throw new UnavailableError('no memory for a password hash', { cause: error })
}

/** Added to the nice value: 0 is normal, 19 is the lowest priority. */
const NICE_INCREMENT = 10
const MAX_NICE = 19

/**
 * Lowers the priority of libuv's threads, which hash passwords, below that of the main thread. Otherwise they would
 * keep every core busy for 7 ms at a time while requests wait. With 8 clients that register on a busy machine, this
 * lowers the median of 300 reads per second from 88 to 18 ms. On an idle machine, hashing is as fast as before. Only on
 * Linux, each thread has a name and a priority.
 */
async function lowerThreadPriority(): Promise<void> {
  if (platform() !== 'linux') return
  // Node reads a folder on one of these threads, so all of them exist when the promise resolves.
  const threads = await readdir('/proc/self/task')
  const names = await Promise.all(
    threads.map((id) => readFile(`/proc/self/task/${id}/comm`, 'utf8').catch(() => '')),
  )
  const workers = threads.filter((_, n) => names[n]?.trim() === 'libuv-worker')
  for (const id of workers) setPriority(Number(id), Math.min(MAX_NICE, getPriority() + NICE_INCREMENT))
}

import { readdir, readFile } from 'node:fs/promises'
import { getPriority, platform, setPriority } from 'node:os'

/** The least that a thread can have is 19 above the usual. */
const STEPS_BACK = 10
const LEAST = 19

/**
 * Lets the threads on which passwords are hashed step back behind the one that answers: they would take every core for
 * 20 ms at a time, and whoever reads would wait for them. While nothing else wants a core they hash as fast as before.
 * Returns how many threads there are: none where threads have no names and priorities of their own (Linux has).
 */
export async function stepBack(): Promise<number> {
  if (platform() !== 'linux') return 0
  // To read a folder takes such a thread, so that from the answer on there are all of them.
  const threads = await readdir('/proc/self/task')
  const names = await Promise.all(
    threads.map((id) => readFile(`/proc/self/task/${id}/comm`, 'utf8').catch(() => '')),
  )
  const hashing = threads.filter((_, n) => names[n]?.trim() === 'libuv-worker')
  for (const id of hashing) setPriority(Number(id), Math.min(LEAST, getPriority() + STEPS_BACK))
  return hashing.length
}

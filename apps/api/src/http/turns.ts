import { setImmediate as nextTurn } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { TakeTurn } from './app-env.ts'

const CONCURRENT_READS = 4

const CHARACTERS_PER_TURN = 16 * 1024

/**
 * The returned function starts at most one database read in each iteration of
 * the event loop. Node accepts one connection per iteration, so new clients
 * would wait longer if an iteration contained several reads of SQLite, which
 * are synchronous.
 */
export function createTurns(): TakeTurn {
  const limit = pLimit(CONCURRENT_READS)
  let last = Promise.resolve()
  function waitForTurns(count: number): Promise<void> {
    last = last.then(async () => {
      for (let n = 0; n < count; n += 1) await nextTurn()
    })
    return last
  }
  return (read) =>
    limit(async () => {
      await waitForTurns(1)
      return read((characters) => {
        void waitForTurns(Math.floor(characters / CHARACTERS_PER_TURN))
      })
    })
}

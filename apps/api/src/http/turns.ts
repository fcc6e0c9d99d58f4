import { setImmediate as nextTurn } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { TakeTurn } from './app-env.ts'

/** Maximum number of database reads that all list endpoints run at once. */
const PAGES_AT_ONCE = 4

/**
 * The next read of a list waits for one turn of the event loop per 16,384
 * characters of the previous read, so that other requests can run.
 */
const CHARACTERS_PER_TURN = 16 * 1024

/**
 * Lets only one list start to read a page in each turn of the event loop. Node
 * accepts one connection per turn, and SQLite reads synchronously. Several
 * reads in one turn would therefore keep out new clients.
 */
export function createTurns(): TakeTurn {
  const limit = pLimit(PAGES_AT_ONCE)
  let last = Promise.resolve()
  /**
   * Waits until all previous calls have resolved, and then for `count` turns of
   * the event loop. An idle turn takes 3 µs.
   */
  function ownTurn(count: number): Promise<void> {
    last = last.then(async () => {
      for (let n = 0; n < count; n += 1) await nextTurn()
    })
    return last
  }
  return (read) =>
    limit(async () => {
      await ownTurn(1)
      return read((characters) => {
        void ownTurn(Math.floor(characters / CHARACTERS_PER_TURN))
      })
    })
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { TakeTurn } from './app-env.ts'

/** Maximum number of database reads that all list endpoints run at once. */
const PAGES_AT_ONCE = 4

/**
 * After a list has read this number of characters, other requests get a turn of
 * the event loop before any list reads again.
 */
const CHARACTERS_PER_TURN = 16 * 1024

/**
 * Starts at most one database read of all list endpoints per turn of the event
 * loop. Node accepts one connection per turn, and SQLite reads synchronously,
 * so several reads in one turn would delay new clients.
 */
export function createTurns(): TakeTurn {
  const limit = pLimit(PAGES_AT_ONCE)
  let last = Promise.resolve()
  /**
   * Waits for all previous calls, and then for `count` turns of the event loop.
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

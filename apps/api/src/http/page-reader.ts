import { setImmediate as nextTurn } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Page } from '../database/page.ts'

/** Pages that all lists of a server read at once. Others wait. */
const PAGES_AT_ONCE = 4

/**
 * Characters of a page for which the lists leave one turn of the event loop to
 * other requests. A turn takes 3 µs when there are none.
 */
const CHARACTERS_PER_TURN = 16 * 1024

/**
 * Creates a function that reads a page and returns it with its JSON. Of all
 * lists that call it, one reads or converts a page in a turn of the event loop:
 * a database in this process and an open socket never wait, and Node accepts one
 * connection per turn, so lists would keep out new clients.
 */
export function createPageReader() {
  const limit = pLimit(PAGES_AT_ONCE)
  let last = Promise.resolve()
  let turns = 1
  async function pass(): Promise<void> {
    for (; turns > 0; turns -= 1) await nextTurn()
    turns = 1
  }
  const ownTurn = () => {
    last = last.then(pass)
    return last
  }
  return <Item>(read: () => Promise<Page<Item>>) =>
    limit(async () => {
      await ownTurn()
      const page = await read()
      await ownTurn()
      const text = JSON.stringify(page.items)
      turns += Math.floor(text.length / CHARACTERS_PER_TURN)
      return { ...page, text }
    })
}

import pLimit from 'p-limit'
import type { Page } from '../database/page.ts'
import { createOwnTurn } from '../own-turn.ts'

/** Maximum number of pages that all lists of a server read at once. */
const PAGES_AT_ONCE = 4

/**
 * After a page, lists leave turns of the event loop to other requests: one for
 * each 16,384 characters of the page.
 */
const CHARACTERS_PER_TURN = 16 * 1024

/**
 * A page as JSON, with the number of its items, and the id of the last one or
 * ''.
 */
export interface TextPage {
  readonly text: string
  readonly hasMore: boolean
  readonly count: number
  readonly last: string
}

type PageReader = (
  read: () => Promise<Page<{ readonly id: string }>>,
) => Promise<TextPage>

/**
 * Creates a function that reads a page and returns it with its JSON. In each
 * turn of the event loop, only one list starts to read a page. SQLite and an
 * open socket never make a list wait, and Node accepts one connection per turn,
 * so lists would otherwise keep out new clients.
 */
export function createPageReader(): PageReader {
  const limit = pLimit(PAGES_AT_ONCE)
  const ownTurn = createOwnTurn()
  return (read) =>
    limit(async () => {
      await ownTurn()
      const { items, hasMore } = await read()
      const last = items.at(-1)?.id ?? ''
      // A page without an id would make the next page start at the beginning,
      // without end.
      if (hasMore && last === '')
        throw new Error('expected the page to have an item, or to be the last')
      const text = JSON.stringify(items)
      void ownTurn(Math.floor(text.length / CHARACTERS_PER_TURN))
      return { text, hasMore, count: items.length, last }
    })
}

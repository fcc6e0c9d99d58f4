import pLimit from 'p-limit'
import type { Page } from '../database/page.ts'
import { createOwnTurn } from '../own-turn.ts'

/** Pages that all lists of a server read at once. Others wait. */
const PAGES_AT_ONCE = 4

/**
 * Characters of a page for which the lists leave one turn of the event loop to
 * other requests.
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
 * Creates a function that reads a page and returns it with its JSON. Of all
 * lists that call it, one starts to read a page in a turn of the event loop:
 * a database in this process and an open socket never wait, and Node accepts one
 * connection per turn, so lists would keep out new clients.
 */
export function createPageReader(): PageReader {
  const limit = pLimit(PAGES_AT_ONCE)
  const ownTurn = createOwnTurn()
  return (read) =>
    limit(async () => {
      await ownTurn()
      const { items, hasMore } = await read()
      const last = items.at(-1)?.id ?? ''
      // The list would start again, without an end.
      if (hasMore && last === '')
        throw new Error('expected the page to have an item, or to be the last')
      const text = JSON.stringify(items)
      void ownTurn(Math.floor(text.length / CHARACTERS_PER_TURN))
      return { text, hasMore, count: items.length, last }
    })
}

import type { Context } from 'hono'
import type { Page } from '../database/page.ts'
import type { AppEnv } from './env.ts'
import { respond } from './response.ts'

type AnyPage = Page<{ readonly id: string }>

/**
 * Responds with a JSON array of all items from the first page on, of which `text` is the JSON. Reads each page when the client
 * has read the previous one, and stops when it disconnects. An error breaks the connection, so a partial response never
 * looks complete.
 */
export function streamPages(
  c: Context<AppEnv>,
  text: string,
  first: AnyPage,
  readAfter: (id: string) => Promise<AnyPage>,
): Response {
  const lastOf = ({ items }: AnyPage, before = '') => items.at(-1)?.id ?? before
  async function* parts(last: string) {
    yield Buffer.from(text.slice(0, -1))
    try {
      // While a part waits for the client, this holds no items.
      for (let hasMore = true; hasMore; ) {
        const page = await readAfter(last)
        ;({ hasMore } = page)
        last = lastOf(page, last)
        const part = Buffer.from(`,${JSON.stringify(page.items).slice(1, -1)}`)
        page.items.length = 0
        if (part.length > 1) yield part
      }
    } catch (error) {
      const { log, route, requestId: request_id } = c.env.exchange
      log.error({ method: c.req.method, route, request_id, err: error }, 'response aborted')
      // @hono/node-server prints the error on stderr: without its stack, in one line.
      throw Object.assign(new Error('response aborted: see the log'), { stack: undefined })
    }
    yield Buffer.from(']')
  }
  return respond(c, 200, ReadableStream.from(parts(lastOf(first))), { 'content-type': 'application/json' })
}

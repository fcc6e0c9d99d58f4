import type { Context } from 'hono'
import type { Page } from '../database/page.ts'
import type { AppEnv } from './env.ts'
import { respond } from './response.ts'

type AnyPage = Page<{ readonly id: string }>

/**
 * Responds with a JSON array of all items from the first page on. Reads each page when the client has read the previous
 * one, and stops when it disconnects. An error breaks the connection, so a partial response never looks complete.
 */
export function streamPages(
  c: Context<AppEnv>,
  first: AnyPage,
  readAfter: (id: string) => Promise<AnyPage>,
): Response {
  async function* parts() {
    let { items, hasMore } = first
    yield Buffer.from(`[${itemsOf(items)}`)
    try {
      while (hasMore) {
        ;({ items, hasMore } = await readAfter(items.at(-1)?.id ?? ''))
        if (items.length > 0) yield Buffer.from(`,${itemsOf(items)}`)
      }
    } catch (error) {
      const { log, route, requestId: request_id } = c.env.exchange
      log.error({ method: c.req.method, route, request_id, err: error }, 'response aborted')
      // @hono/node-server prints the error on stderr: without its stack, in one line.
      throw Object.assign(new Error('response aborted: see the log'), { stack: undefined })
    }
    yield Buffer.from(']')
  }
  return respond(c, 200, ReadableStream.from(parts()), { 'content-type': 'application/json' })
}

/** Returns items as JSON, without the brackets of the array. */
const itemsOf = (items: object[]) => JSON.stringify(items).slice(1, -1)

import type { Context } from 'hono'
import type { Page } from '../database/page.ts'
import type { AppEnv } from './env.ts'
import { json, respond } from './response.ts'

/** Reads the page after an id, which is '' for the first page. */
type ReadAfter<Id extends string> = (id: Id | '') => Promise<Page<{ readonly id: string }>>

/**
 * Responds with all items after an id. When one page does not hold them, streams a JSON array: reads each page when the
 * client has read the previous one, and stops when the client disconnects.
 */
export async function respondWithAll<Id extends string>(
  c: Context<AppEnv>,
  after: Id | '',
  read: ReadAfter<Id>,
): Promise<Response> {
  const first = await read(after)
  if (!first.hasMore) return json(c, 200, first.items)
  const stream = ReadableStream.from(streamArray(c, first, read))
  return respond(c, 200, stream, { 'content-type': 'application/json' })
}

/** Yields a JSON array. An error breaks the connection, so a partial response never looks complete. */
async function* streamArray<Id extends string>(
  c: Context<AppEnv>,
  first: Page<{ readonly id: string }>,
  read: ReadAfter<Id>,
): AsyncIterable<Uint8Array> {
  let { items, hasMore } = first
  yield Buffer.from(`[${jsonItems(items)}`)
  try {
    while (hasMore) {
      // biome-ignore lint/plugin: the ids of a list are of the type that orders it, which the item's schema does not contain.
      ;({ items, hasMore } = await read((items.at(-1)?.id ?? '') as Id))
      if (items.length > 0) yield Buffer.from(`,${jsonItems(items)}`)
    }
  } catch (error) {
    const { log, endpoint, requestId: request_id } = c.env.exchange
    log.error({ method: c.req.method, route: endpoint?.path, request_id, err: error }, 'response aborted')
    // @hono/node-server prints the error on stderr: without its stack, in one line.
    throw Object.assign(new Error('response aborted: see the log'), { stack: undefined })
  }
  yield Buffer.from(']')
}

/** Returns the items as JSON, without the brackets of the array. */
const jsonItems = (items: object[]) => JSON.stringify(items).slice(1, -1)

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from 'hono'
import pLimit from 'p-limit'
import type { IdType, TypedId } from 'typed-id'
import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import type { Page } from '../database/page.ts'
import type { AppEnv } from './env.ts'
import { Failure, HTTP_ERRORS } from './errors.ts'
import { integerParameter } from './fields.ts'
import { errorResponse, respond } from './response.ts'
import { type Declaration, type Route, rawRoute } from './route.ts'

/** Maximum items that a list without `limit` reads at a time. */
const STREAM_PAGE = 200

/**
 * Pages of one list that are read at once. Others wait, so that they delay no
 * other request.
 */
const PAGES_AT_ONCE = 4

/**
 * Maximum characters of the responses of one list that clients have not read.
 * Each further one receives 503.
 */
const UNREAD_LIMIT = 32 * 1024 * 1024

type Shape = z.ZodObject
type Item = z.ZodType<{ id: string }>
type ReadPage<Prefix extends string, Of> = (page: {
  /** The items after this id. '' sorts before every id. */
  readonly after: TypedId<Prefix> | ''
  readonly limit: number
}) => Promise<Page<Of>>

type ListDeclaration<
  Path extends string,
  Params extends Shape,
  Query extends Shape,
  Of,
  Prefix extends string,
  Code extends string,
> = Omit<
  Declaration<Path, Params, Query, Shape, z.ZodType, Code>,
  'method' | 'body' | 'success'
> & {
  readonly item: Of
  /** The type of the ids that the list is ordered by. */
  readonly after: IdType<Prefix>
}

/**
 * Creates an endpoint that lists items in the order of their ids. The handler
 * returns a function that reads one page, or a declared error. With `limit`,
 * the response is one page, and has a `Link` to the next one when there are
 * more items. Without `limit`, it has all items, streamed page by page as fast
 * as the client reads. Pages start after a key instead of at an offset, so
 * concurrent writes neither skip nor repeat an item.
 */
export function listRoute<
  Path extends string,
  Of extends Item,
  Prefix extends string,
  Params extends Shape = z.ZodObject<Record<never, never>>,
  Query extends Shape = z.ZodObject<Record<never, never>>,
  Code extends string = never,
>(
  {
    query,
    item,
    after: type,
    ...rest
  }: ListDeclaration<Path, Params, Query, Of, Prefix, Code>,
  handle: (input: {
    readonly params: z.output<Params>
    readonly query: z.output<Query>
  }) => Promise<ReadPage<Prefix, z.output<Of>> | Failure<NoInfer<Code>>>,
): Route {
  const paging = z.object({
    limit: integerParameter(1, 1000).optional().meta({ description: LIMIT }),
    after: idSchema(type).optional().meta({ description: AFTER }),
  })
  const Link = `<?limit=10&after=${type.example}>; rel="next"`
  const success = {
    status: 200,
    description: 'The items, oldest first',
    body: z.array(item),
    headers: { Link },
  } as const
  const declaration = {
    ...rest,
    method: 'get',
    query: paging.extend(query?.shape ?? {}),
    success,
  } as const
  const turns = pLimit(PAGES_AT_ONCE)
  let unread = 0
  return rawRoute(declaration as Declaration, async (input, c) => {
    const {
      limit,
      after = '',
      ...filter
    } = input.query as z.output<typeof paging>
    const found = await handle({
      params: input.params,
      query: filter,
    } as Parameters<typeof handle>[0])
    if (found instanceof Failure) return errorResponse(c, found)
    // A database in this process and an open socket never wait, so without the
    // pause lists would block all other requests.
    const readAfter = (id: string) =>
      turns(() =>
        nextTurn().then(() =>
          found({
            // biome-ignore lint/plugin: the ids of a list are of the type that orders it, which the item's schema does not contain.
            after: id as TypedId<Prefix>,
            limit: limit ?? STREAM_PAGE,
          }),
        ),
      )
    const page = await readAfter(after)
    const text = JSON.stringify(page.items)
    const isStreamed = page.hasMore && limit === undefined
    // Of a stream, one page is in the buffer of the socket, and another one
    // waits for it.
    const size = isStreamed ? 2 * text.length : text.length
    if (unread + size > UNREAD_LIMIT)
      return errorResponse(c, HTTP_ERRORS.unavailable)
    const { outgoing } = c.env
    if (outgoing?.destroyed === false) {
      unread += size
      outgoing.once('close', () => {
        unread -= size
      })
    }
    if (isStreamed) return streamPages(c, text, page, readAfter)
    const headers = { 'content-type': 'application/json' }
    if (!page.hasMore) return respond(c, 200, text, headers)
    // Repeats declared parameters only. An undeclared one would be
    // percent-encoded, at up to three times its length.
    const next = new URLSearchParams()
    for (const name of [...Object.keys(query?.shape ?? {}), 'limit']) {
      const value = c.req.query(name)
      if (value !== undefined) next.set(name, value)
    }
    next.set('after', page.items.at(-1)?.id ?? '')
    // The link is a query without a path, so it is also correct behind a proxy
    // that adds a prefix to the path.
    return respond(c, 200, text, { ...headers, link: `<?${next}>; rel="next"` })
  })
}

const LIMIT = 'Items in one page; without it, all of them'
const AFTER =
  'Start after this id: the id of the last item on the previous page'

type AnyPage = Page<{ readonly id: string }>

/**
 * Responds with a JSON array of all items from the first page on, of which
 * `text` is the JSON. Reads each page when the client has read the previous
 * one, and stops when it disconnects. An error breaks the connection, so a
 * partial response never looks complete.
 */
function streamPages(
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
      log.error(
        { method: c.req.method, route, request_id, err: error },
        'response aborted',
      )
      // @hono/node-server prints the error on stderr: without its stack, in one
      // line.
      throw Object.assign(new Error('response aborted: see the log'), {
        stack: undefined,
      })
    }
    yield Buffer.from(']')
  }
  return respond(c, 200, ReadableStream.from(parts(lastOf(first))), {
    'content-type': 'application/json',
  })
}

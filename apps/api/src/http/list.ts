import type { Context } from 'hono'
import { routePath } from 'hono/route'
import type { IdType } from 'typed-id'
import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import type { Page } from '../database/page.ts'
import type { AppEnv } from './app-env.ts'
import {
  type Declaration,
  type EndpointContext,
  type EndpointHandler,
  type ErrorsOf,
  endpoint,
  type NoUndeclared,
  openApiPath,
} from './endpoint.ts'
import { fail, HTTP_ERRORS } from './failures.ts'
import { integerParameter } from './fields.ts'
import { createPageReader, type TextPage } from './page-reader.ts'

/** Maximum number of items that a list reads from the database at a time. */
const PAGE = 200

/**
 * A list reads fewer items at a time when the previous ones were large, so that
 * a page has about this number of characters: 200 users with 100 roles each
 * would take 0.1 to 0.4 s, in which no other request runs.
 */
const PAGE_TEXT = 128 * 1024

/**
 * A response to a request with `limit` ends after this number of characters,
 * even with fewer items than the limit.
 */
const RESPONSE_LIMIT = 512 * 1024

/**
 * Maximum characters of responses of one list that clients have not read yet.
 * Above this limit, requests of the list receive 503.
 */
export const UNREAD_LIMIT = 32 * 1024 * 1024

interface ListDeclaration extends Omit<Declaration, 'json' | 'success'> {
  readonly item: z.ZodType<{ id: string }>
  /** The type of the ids that the list is ordered by. */
  readonly after: IdType<string>
}

type IdOf<D extends ListDeclaration> = D['after']['example']

/** Reads the items after an id. The nil id stands for the start of the list. */
type ReadPage<Id, Item> = (page: {
  readonly after: Id
  readonly limit: number
}) => Promise<Page<Item>>

type Listed<D extends ListDeclaration> = Omit<D, 'query' | 'item' | 'after'> & {
  readonly query: z.ZodObject<
    (D['query'] extends z.ZodObject<infer Shape> ? Shape : unknown) & {
      readonly limit: z.ZodOptional<z.ZodType<number, number>>
      readonly after: z.ZodOptional<z.ZodType<IdOf<D>, IdOf<D>>>
    }
  >
  readonly success: {
    readonly status: 200
    readonly description: string
    readonly body: z.ZodArray<D['item']>
  }
}

/**
 * Creates a Hono handler that lists items in the order of their ids. `handler`
 * returns a function that reads one page, or a declared error.
 *
 * With `limit`, the response has a `Link` to the next one when there are more
 * items. Without `limit`, it has all items, streamed page by page
 * as fast as the client reads. Pages start after a key instead of at an offset,
 * so concurrent writes neither skip nor repeat an item.
 *
 * @example
 * new Hono<AppEnv>().get('/teams', list(
 *   { id: 'listTeams', item: TeamResponse, after: TeamId, … },
 *   async () => (page) => store.list(page),
 * ))
 */
export function list<
  const D extends ListDeclaration,
  Item extends z.output<D['item']>,
>(
  { query, item, after: type, ...rest }: D,
  handler: (
    c: EndpointContext<Pick<D, 'param' | 'query'>>,
  ) => Promise<
    | (ReadPage<IdOf<D>, Item> & NoUndeclared<Item, z.output<D['item']>>)
    | ErrorsOf<D>
  >,
): EndpointHandler<Listed<D>> {
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
  const first = type.fromUuid('00000000-0000-0000-0000-000000000000')
  const filters = Object.keys(query?.shape ?? {})
  // Nothing is known about the size of the items before the first is read.
  let pageSize = 1
  let unread = 0

  async function respond(c: Context<AppEnv>): Promise<Response> {
    const { limit, after = first } = c.req.valid('query' as never) as z.output<
      typeof paging
    >
    const found = await handler(c as never)
    if (typeof found !== 'function') return found as unknown as Response
    const { readPage = createPageReader() } = c.env
    const readAfter = async (id: string, most = PAGE) => {
      const page = await readPage(() =>
        // biome-ignore lint/plugin: the schema of an item has ids of any type.
        found({ after: id as IdOf<D>, limit: Math.min(most, pageSize) }),
      )
      if (page.count > 0) pageSize = nextSize(page)
      return page
    }
    const headers = { 'content-type': 'application/json' }
    if (limit === undefined && c.req.method === 'HEAD')
      return c.body(null, 200, headers)
    let page = await readAfter(after, limit)
    while (
      limit !== undefined &&
      page.hasMore &&
      page.count < limit &&
      page.text.length < RESPONSE_LIMIT
    )
      page = join(page, await readAfter(page.last, limit - page.count))
    const { text } = page
    const isStreamed = page.hasMore && limit === undefined
    // One page of a streamed response is in the buffer of the socket, and one
    // waits.
    const size = isStreamed ? 2 * text.length : text.length
    if (unread + size > UNREAD_LIMIT) return fail(c, HTTP_ERRORS.unavailable)
    const { outgoing } = c.env
    if (outgoing?.destroyed === false) {
      unread += size
      outgoing.once('close', () => {
        unread -= size
      })
    }
    if (isStreamed) return c.body(streamPages(c, page, readAfter), 200, headers)
    if (!page.hasMore) return c.body(text, 200, headers)
    // Leaves out undeclared parameters: percent-encoding would make them up to
    // three times as long.
    const next = new URLSearchParams()
    for (const name of [...filters, 'limit']) {
      const value = c.req.query(name)
      if (value !== undefined) next.set(name, value)
    }
    next.set('after', page.last)
    // The link is a query without a path, so it is also correct behind a proxy
    // that adds a prefix to the path.
    return c.body(text, 200, { ...headers, link: `<?${next}>; rel="next"` })
  }
  const declaration = {
    ...rest,
    query: paging.extend(query?.shape ?? {}),
    success,
  }
  return endpoint(declaration, respond as never) as never
}

const LIMIT = 'Items in one page; without it, all of them'
const AFTER =
  'Start after this id: the id of the last item on the previous page'

/** Returns how many items as large as those of a page have `PAGE_TEXT`. */
const nextSize = ({ text, count }: TextPage): number =>
  Math.min(PAGE, Math.ceil((PAGE_TEXT * count) / text.length))

const join = (page: TextPage, next: TextPage): TextPage =>
  next.count === 0
    ? { ...page, hasMore: next.hasMore }
    : {
        ...next,
        text: `${page.text.slice(0, -1)},${next.text.slice(1)}`,
        count: page.count + next.count,
      }

/**
 * Returns a JSON array of all items from the first page on. Reads
 * each page when the client has read the previous one, and stops when it
 * disconnects. An error breaks the connection, so a partial response
 * never looks complete.
 */
function streamPages(
  c: Context<AppEnv>,
  { text, hasMore, last }: TextPage,
  readAfter: (id: string) => Promise<TextPage>,
): ReadableStream<Uint8Array> {
  async function* parts() {
    yield Buffer.from(text.slice(0, -1))
    try {
      while (hasMore) {
        const page = await readAfter(last)
        ;({ hasMore, last } = page)
        if (page.count > 0) yield Buffer.from(`,${page.text.slice(1, -1)}`)
      }
    } catch (error) {
      const { log, requestId: request_id } = c.env.exchange
      const route = openApiPath(routePath(c, -1))
      log.error(
        { method: c.req.method, route, request_id, err: error },
        'response aborted',
      )
      // Without a stack, the error that @hono/node-server prints on stderr is
      // one line.
      throw Object.assign(new Error('response aborted: see the log'), {
        stack: undefined,
      })
    }
    yield Buffer.from(']')
  }
  return ReadableStream.from(parts())
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from 'hono'
import pLimit from 'p-limit'
import type { IdType, TypedId } from 'typed-id'
import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import type { Page } from '../database/page.ts'
import type { AppEnv } from './env.ts'
import { Failure } from './errors.ts'
import { integerParameter } from './fields.ts'
import { errorResponse, json, respond } from './response.ts'
import { type Declaration, type Route, rawRoute } from './route.ts'

type Item = z.ZodType<{ id: string }>
type AnyPage = Page<{ readonly id: string }>

type ListDeclaration<
  Path extends string,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Of extends Item,
  Prefix extends string,
  Code extends string,
> = {
  /** Filters of this list, in addition to `limit` and `after`. */
  readonly query?: Query
  readonly item: Of
  /** The type of the ids that the list is ordered by. */
  readonly after: IdType<Prefix>
  readonly errors?: readonly Failure<Code>[]
} & Pick<Declaration<Path, Params>, 'path' | 'params' | 'id' | 'tag' | 'summary' | 'description'>

/** Reads one page in the order of the ids: the items after an id ('' sorts before every id), at most `limit`. */
type ReadPage<Prefix extends string, Of> = (page: {
  readonly after: TypedId<Prefix> | ''
  readonly limit: number
}) => Promise<Page<Of>>

/** Maximum items that a list without `limit` reads at a time. Only one such page is in memory. */
const STREAM_PAGE = 200

/** Pages of one list, of more than 100 items, that are read at once. Others wait, so that they delay no small request. */
const PAGES_AT_ONCE = 4
const SMALL_PAGE = 100

/**
 * Creates an endpoint that lists items in the order of their ids. The handler receives path parameters and filters, and returns a
 * function that reads one page, or a declared error. With `limit` it returns one page, and a `Link` to the next one when there are
 * more items. Without `limit` it returns all items, streamed page by page as fast as the client reads. Pages start after
 * a key instead of at an offset, so concurrent writes neither skip nor repeat an item.
 */
export function listRoute<
  Of extends Item,
  Prefix extends string,
  Path extends string,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Code extends string = never,
>(
  { query, item, after: type, ...documentation }: ListDeclaration<Path, Params, Query, Of, Prefix, Code>,
  handle: (
    input: { readonly params: z.output<Params>; readonly query: z.output<Query> },
    c: Context<AppEnv>,
  ) => Promise<ReadPage<Prefix, z.output<Of>> | Failure<NoInfer<Code>>>,
): Route {
  const paging = z.object({
    limit: integerParameter(1, 1000).optional().meta({ description: LIMIT }),
    after: idSchema(type).optional().meta({ description: AFTER }),
  })
  const example = `<?limit=10&after=${type.example}>; rel="next"`
  const headers = { Link: { description: LINK, schema: { type: 'string' as const, example } } }
  const success = {
    status: 200 as const,
    description: 'The items, oldest first',
    body: z.array(item),
    headers,
  }
  const declared = paging.extend(query?.shape ?? {})
  const heavy = pLimit(PAGES_AT_ONCE)
  // A database in this process and an open socket never wait, so without the pause lists would block all other requests.
  const later = <T>(work: () => Promise<T>) => heavy(() => nextTurn().then(work))
  return rawRoute(
    { ...documentation, method: 'get', query: declared, success } as const,
    async (input, c) => {
      // TypeScript does not compute the output of a schema that extends a generic one.
      const { limit, after = '', ...filter } = input.query as z.output<typeof paging>
      const params = input.params as z.output<Params>
      const read = await handle({ params, query: filter as unknown as z.output<Query> }, c)
      if (read instanceof Failure) return errorResponse(c, read)
      const size = limit ?? STREAM_PAGE
      // biome-ignore lint/plugin: the ids of a list are of the type that orders it, which the item's schema does not contain.
      const readAfter = (id: string) => read({ after: id as TypedId<Prefix>, limit: size })
      const { items, hasMore } = await (size > SMALL_PAGE ? later(() => readAfter(after)) : readAfter(after))
      if (!hasMore) return json(c, 200, items)
      if (limit === undefined) {
        const parts = jsonArray(c, { items, hasMore }, (id) => later(() => readAfter(id)))
        return respond(c, 200, ReadableStream.from(parts), { 'content-type': 'application/json' })
      }
      const next = new URLSearchParams()
      // Repeats declared parameters only. An undeclared one would be percent-encoded, at up to three times its length.
      for (const name of [...Object.keys(query?.shape ?? {}), 'limit', 'after']) {
        const value = name === 'after' ? items.at(-1)?.id : c.req.query(name)
        if (value !== undefined) next.set(name, value)
      }
      // The link is a query without a path, so it is also correct behind a proxy that adds a prefix to the path.
      return json(c, 200, items, { link: `<?${next}>; rel="next"` })
    },
  )
}

const LIMIT = 'Items in one page; without it, all of them'
const AFTER = 'Start after this id: the id of the last item on the previous page'
const LINK =
  'The next page (RFC 8288), relative to the URL of the request, when `limit` is given and there are more items'

/**
 * Yields a JSON array. Reads each page when the client has read the previous one, and stops when it disconnects. An error
 * breaks the connection, so a partial response never looks complete.
 */
async function* jsonArray(
  c: Context<AppEnv>,
  { items, hasMore }: AnyPage,
  readAfter: (id: string) => Promise<AnyPage>,
): AsyncIterable<Uint8Array> {
  yield Buffer.from(`[${itemsOf(items)}`)
  try {
    while (hasMore) {
      ;({ items, hasMore } = await readAfter(items.at(-1)?.id ?? ''))
      if (items.length > 0) yield Buffer.from(`,${itemsOf(items)}`)
    }
  } catch (error) {
    const { log, endpoint, requestId: request_id } = c.env.exchange
    log.error({ method: c.req.method, route: endpoint?.path, request_id, err: error }, 'response aborted')
    // @hono/node-server prints the error on stderr: without its stack, in one line.
    throw Object.assign(new Error('response aborted: see the log'), { stack: undefined })
  }
  yield Buffer.from(']')
}

/** Returns items as JSON, without the brackets of the array. */
const itemsOf = (items: object[]) => JSON.stringify(items).slice(1, -1)

import type { Context, Handler, HonoRequest } from 'hono'
import type { IdType } from 'typed-id'
import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import type { Page, PageRequest } from '../page.ts'
import { type AppEnv, bindingsOf } from './app-env.ts'
import type {
  Declaration,
  EndpointContext,
  EndpointHandler,
  ErrorsOf,
  NoUndeclared,
} from './declaration.ts'
import { withValidation } from './endpoint.ts'
import { fail, HTTP_ERRORS } from './failures.ts'
import { join, streamPages, type TextPage } from './stream-pages.ts'
import { createTurns } from './turns.ts'
import { createUnreadCount } from './unread.ts'

const MAX_ITEMS = 200

/**
 * Queries read only as many rows as fill a page of about this size, because 200
 * users with 100 roles each would block the event loop for 0.1 to 0.4 s.
 */
const MAX_CHARACTERS = 128 * 1024

const RESPONSE_CHARACTERS = 512 * 1024

interface ListDeclaration extends Omit<Declaration, 'json' | 'success'> {
  readonly item: z.ZodType<{ id: string }>
  readonly after: IdType<string>
}

type IdOf<D extends ListDeclaration> = D['after']['example']

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

type ListContext = Context<
  AppEnv,
  string,
  { out: { query: { limit?: number; after?: string } } }
>

/**
 * Creates a Hono handler that lists items in the order of their ids. Without
 * `limit`, streams all items as fast as the client reads.
 *
 * Pages start after an id, so that concurrent writes never make a list skip or
 * repeat an item.
 */
export function list<
  const D extends ListDeclaration,
  Item extends z.output<D['item']>,
>(
  declaration: D,
  handler: (
    c: EndpointContext<Pick<D, 'param' | 'query'>>,
    page: PageRequest<IdOf<D>>,
  ) => Promise<Page<Item> & NoUndeclared<Item, z.output<D['item']>>>,
  check?: (
    c: EndpointContext<Pick<D, 'param' | 'query'>>,
  ) => (Response & ErrorsOf<D>) | undefined,
): EndpointHandler<Listed<D>>
export function list(
  { query, item, after: type, ...rest }: ListDeclaration,
  handler: (
    c: ListContext,
    page: PageRequest<string>,
  ) => Promise<Page<{ readonly id: string }>>,
  check: (c: ListContext) => Response | undefined = () => undefined,
): Handler {
  const paging = z.object({
    limit: LIMIT,
    after: idSchema(type).optional().meta({ description: AFTER }),
  })
  const filters = Object.keys(query?.shape ?? {})
  const start = type.fromUuid('00000000-0000-0000-0000-000000000000')
  const ownTurns = createTurns()
  const countUnread = createUnreadCount()
  let pageSize = 1

  async function respond(c: ListContext): Promise<Response> {
    const { limit, after = start } = c.req.valid('query')
    const { takeTurn = ownTurns } = bindingsOf(c)
    const readAfter = (id: string, most = MAX_ITEMS) =>
      takeTurn(async (spend) => {
        const request = { after: id, limit: Math.min(most, pageSize) }
        const page = toText(await handler(c, request))
        if (page.count > 0) pageSize = nextSize(page)
        spend(page.text.length)
        return page
      })
    const failure = check(c)
    if (failure) return failure
    if (limit === undefined && c.req.method === 'HEAD')
      return c.body(null, 200, JSON_TYPE)
    let page = await readAfter(after, limit)
    while (
      limit !== undefined &&
      page.hasMore &&
      page.count < limit &&
      page.text.length < RESPONSE_CHARACTERS
    ) {
      page = join(page, await readAfter(page.lastId, limit - page.count))
    }
    const { text, hasMore, lastId } = page
    const isStreamed = hasMore && limit === undefined
    // Counts a streamed page twice towards the limit of unread characters,
    // because the socket buffers the page while the list reads the next page
    // into memory.
    if (!countUnread(c, isStreamed ? 2 * text.length : text.length))
      return fail(c, HTTP_ERRORS.unavailable)
    if (isStreamed)
      return c.body(streamPages(c, page, readAfter), 200, JSON_TYPE)
    const link = hasMore && { link: linkAfter(lastId, c.req, filters) }
    return c.body(text, 200, { ...JSON_TYPE, ...link })
  }

  const isByTime = type.timestamp(type.generate()) !== undefined
  return withValidation(
    {
      ...rest,
      query: paging.extend(query?.shape ?? {}),
      success: {
        status: 200,
        description: isByTime
          ? 'The items, oldest first'
          : 'The items, in the order of their ids',
        body: z.array(item),
        headers: { Link: `<?limit=10&after=${type.example}>; rel="next"` },
      },
    },
    respond,
  )
}

const MAX_SAFE = Number.MAX_SAFE_INTEGER

// Accepts any number of digits, so that an integer above 2^53 is reported as
// out of range, not as a wrong type.
const LIMIT = z
  .preprocess(
    (value) =>
      typeof value === 'string' && /^-?\d+$/.test(value)
        ? Math.max(-MAX_SAFE, Math.min(Number(value), MAX_SAFE))
        : value,
    z.int().min(1).max(1000),
  )
  .optional()
  .meta({ description: 'Items in one page; without it, all of them' })

const AFTER =
  'Start after this id: the id of the last item on the previous page'

const JSON_TYPE = { 'content-type': 'application/json' }

const nextSize = ({ text, count }: TextPage): number =>
  Math.min(MAX_ITEMS, Math.ceil((MAX_CHARACTERS * count) / text.length))

function toText({ items, hasMore }: Page<{ readonly id: string }>): TextPage {
  const lastId = items.at(-1)?.id ?? ''
  if (hasMore && lastId === '')
    throw new Error('expected the page to have an item, or to be the last')
  return { text: JSON.stringify(items), hasMore, count: items.length, lastId }
}

/** The link (RFC 8288) has no path: a proxy may add a prefix to the path. */
function linkAfter(
  id: string,
  req: HonoRequest,
  filters: readonly string[],
): string {
  const next = new URLSearchParams()
  for (const name of [...filters, 'limit']) {
    const value = req.query(name)
    if (value !== undefined) next.set(name, value)
  }
  next.set('after', id)
  return `<?${next}>; rel="next"`
}

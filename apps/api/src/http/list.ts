import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IdType, TypedId } from 'typed-id'
import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import type { MaybePromise } from '../database/maybe-promise.ts'
import { Failure } from './errors.ts'
import { integerParameter } from './fields.ts'
import { type EndpointResponse, errorResponse, json } from './response.ts'
import { type Declaration, type Route, rawRoute, responseHeader } from './route.ts'

interface ListDeclaration<
  Query extends z.ZodObject,
  Item extends z.ZodType<{ id: string }>,
  Prefix extends string,
  Code extends string,
> extends Pick<Declaration, 'path' | 'id' | 'tag' | 'summary' | 'description'> {
  /** Filters of this list, in addition to `limit` and `after`. */
  readonly query?: Query
  readonly item: Item
  /** The type of the ids that the list is ordered by. */
  readonly after: IdType<Prefix>
  readonly errors?: readonly Failure<Code>[]
}

/** A request for one page: the id after which it starts ('' sorts before every id), and the maximum number of items. */
export interface PageRequest<Prefix extends string> {
  readonly after: TypedId<Prefix> | ''
  readonly limit: number
}

/** Reads one page of a list, in the order of the ids. */
type ReadPage<Prefix extends string, Item = { id: string }> = (
  page: PageRequest<Prefix>,
) => MaybePromise<Item[]>

/** Number of rows that a list without `limit` reads at a time. Only one such page, about 50 KB, is in memory. */
const STREAM_PAGE = 200

/**
 * Creates an endpoint that lists items in the order of their ids. The handler receives the filters and returns a function
 * that reads one page, or a declared error. With `limit` it returns one page, and a `Link` to the
 * next one when there are more items. Without `limit` it returns all items, streamed page by page as fast as the client
 * reads. Pages start after a key instead of at an offset, so concurrent writes neither skip nor repeat an item.
 */
export function listRoute<
  Item extends z.ZodType<{ id: string }>,
  Prefix extends string,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Code extends string = never,
>(
  declaration: ListDeclaration<Query, Item, Prefix, Code>,
  handle: (filter: z.output<Query>) => ReadPage<Prefix, z.output<Item>> | Failure<NoInfer<Code>>,
): Route {
  const { query, item, after: type, ...documentation } = declaration
  const paging = z.object({
    limit: integerParameter(1, 1000)
      .optional()
      .meta({ description: 'Items in one page; without it, all of them' }),
    after: idSchema(type)
      .optional()
      .meta({ description: 'Start after this id: the id of the last item on the previous page' }),
  })
  return rawRoute(
    {
      ...documentation,
      method: 'get',
      query: paging.extend(query?.shape ?? {}),
      success: {
        status: 200,
        description: 'The items, oldest first',
        body: z.array(item),
        headers: {
          Link: responseHeader(
            'The next page (RFC 8288), relative to the URL of the request, when `limit` is given and there are more items',
            `<?limit=10&after=${type.example}>; rel="next"`,
          ),
        },
      },
    },
    async (input, request) => {
      // TypeScript does not compute the output of a schema that extends a generic one. The output consists of `paging`
      // and the filters.
      const { limit, after, ...rest } = input.query as z.output<typeof paging>
      const read = handle(rest as unknown as z.output<Query>)
      if (read instanceof Failure) return errorResponse(read)
      if (limit === undefined) return respondWithAll(read, after ?? '')

      const found = await read({ after: after ?? '', limit: limit + 1 })
      const items = found.slice(0, limit)
      if (found.length <= limit) return json(200, items)
      // Repeats declared parameters only. An undeclared one would be percent-encoded, at up to three times its length.
      const next = new URLSearchParams()
      for (const name of [...Object.keys(query?.shape ?? {}), ...Object.keys(paging.shape)]) {
        const value = name === 'after' ? items.at(-1)?.id : request.query(name)
        if (value !== undefined) next.set(name, value)
      }
      const page = json(200, items)
      // The reference has no path, so it is also correct behind a proxy that adds a prefix to the path.
      return { ...page, headers: { ...page.headers, link: `<?${next}>; rel="next"` } }
    },
  )
}

async function respondWithAll<Prefix extends string>(
  read: ReadPage<Prefix>,
  after: PageRequest<Prefix>['after'],
): Promise<EndpointResponse> {
  const first = await read({ after, limit: STREAM_PAGE })
  if (first.length < STREAM_PAGE) return json(200, first)
  return { ...json(200, []), body: streamArray(first, read) }
}

/** Yields a JSON array of `first` and all items after it. Reads each page when the client has read the previous one. */
async function* streamArray<Prefix extends string>(
  first: { id: string }[],
  read: ReadPage<Prefix>,
): AsyncIterable<Uint8Array> {
  let items = first
  let opening = '['
  while (items.length === STREAM_PAGE) {
    yield Buffer.from(`${opening}${jsonItems(items)}`)
    opening = ','
    // A database in this process and an open socket never wait, so without this pause the list would block all other
    // requests. A list of 100,000 users takes 0.2 s, in which one other request was handled instead of 200.
    await nextTurn()
    // biome-ignore lint/plugin: the ids of a list are of the type that orders it, which the item's schema does not contain.
    const last = items.at(-1)?.id as TypedId<Prefix>
    items = await read({ after: last, limit: STREAM_PAGE })
  }
  yield Buffer.from(`${items.length > 0 ? opening : ''}${jsonItems(items)}]`)
}

/** Returns the items as JSON, without the brackets of the array. */
const jsonItems = (items: { id: string }[]) => JSON.stringify(items).slice(1, -1)

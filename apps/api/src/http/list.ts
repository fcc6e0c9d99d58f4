import { setImmediate as nextTurn } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { IdType, TypedId } from 'typed-id'
import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import type { Page } from '../database/page.ts'
import { Failure } from './errors.ts'
import { integerParameter } from './fields.ts'
import { errorResponse, json } from './response.ts'
import { type Declaration, type Route, rawRoute } from './route.ts'
import { respondWithAll } from './stream.ts'

type Item = z.ZodType<{ id: string }>

interface ListDeclaration<
  Query extends z.ZodObject,
  Of extends Item,
  Prefix extends string,
  Code extends string,
> extends Pick<Declaration, 'path' | 'id' | 'tag' | 'summary' | 'description'> {
  /** Filters of this list, in addition to `limit` and `after`. */
  readonly query?: Query
  readonly item: Of
  /** The type of the ids that the list is ordered by. */
  readonly after: IdType<Prefix>
  readonly errors?: readonly Failure<Code>[]
}

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
 * Creates an endpoint that lists items in the order of their ids. The handler receives the filters and returns a function
 * that reads one page, or a declared error. With `limit` it returns one page, and a `Link` to the next one when there are
 * more items. Without `limit` it returns all items, streamed page by page as fast as the client reads. Pages start after
 * a key instead of at an offset, so concurrent writes neither skip nor repeat an item.
 */
export function listRoute<
  Of extends Item,
  Prefix extends string,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Code extends string = never,
>(
  { query, item, after: type, ...documentation }: ListDeclaration<Query, Of, Prefix, Code>,
  handle: (filter: z.output<Query>) => ReadPage<Prefix, z.output<Of>> | Failure<NoInfer<Code>>,
): Route {
  const paging = z.object({
    limit: integerParameter(1, 1000)
      .optional()
      .meta({ description: 'Items in one page; without it, all of them' }),
    after: idSchema(type)
      .optional()
      .meta({ description: 'Start after this id: the id of the last item on the previous page' }),
  })
  const declared = paging.extend(query?.shape ?? {})
  const link = {
    description:
      'The next page (RFC 8288), relative to the URL of the request, when `limit` is given and there are more items',
    schema: { type: 'string' as const, example: `<?limit=10&after=${type.example}>; rel="next"` },
  }
  const success = {
    status: 200 as const,
    description: 'The items, oldest first',
    body: z.array(item),
    headers: { Link: link },
  }
  const heavy = pLimit(PAGES_AT_ONCE)
  // A database in this process and an open socket never wait, so without the pause lists would block all other requests.
  const later = <T>(work: () => Promise<T>) => heavy(() => nextTurn().then(work))
  return rawRoute(
    { ...documentation, method: 'get', query: declared, success } as const,
    async (input, c) => {
      // TypeScript does not compute the output of a schema that extends a generic one.
      const { limit, after = '', ...filter } = input.query as z.output<typeof paging>
      const read = handle(filter as unknown as z.output<Query>)
      if (read instanceof Failure) return errorResponse(c, read)
      if (limit === undefined)
        return respondWithAll(c, after, (after) => later(() => read({ after, limit: STREAM_PAGE })))

      const page = () => read({ after, limit })
      const { items, hasMore } = await (limit > SMALL_PAGE ? later(page) : page())
      const next = new URLSearchParams()
      if (!hasMore) return json(c, 200, items)
      // Repeats declared parameters only. An undeclared one would be percent-encoded, at up to three times its length.
      for (const name of [...Object.keys(query?.shape ?? {}), 'limit', 'after']) {
        const value = name === 'after' ? items.at(-1)?.id : c.req.query(name)
        if (value !== undefined) next.set(name, value)
      }
      // The reference has no path, so it is also correct behind a proxy that adds a prefix to the path.
      return json(c, 200, items, { link: `<?${next}>; rel="next"` })
    },
  )
}

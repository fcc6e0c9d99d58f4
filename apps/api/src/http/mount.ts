import { randomUUID } from 'node:crypto'
import type { Context, Hono, HonoRequest } from 'hono'
import type { Logger } from 'pino'
import { UnavailableError } from '../database/errors.ts'
import { problem, type Reply } from './reply.ts'
import { streamed } from './stream.ts'

/** What answers one method of one path, such as '/users/{user_id}'. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  readonly path: string
  answer(request: HonoRequest): Promise<Reply>
}

/** Registers the endpoints and, beside each path, the 405 for every other method. */
export function mount(app: Hono, endpoints: readonly Endpoint[], log: Logger): void {
  for (const { method, path, answer } of endpoints) {
    app.on(method, honoPath(path), (c) => exchange(c, log, path, () => answer(c.req)))
  }
  for (const [path, siblings = []] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const methods = siblings.flatMap(({ method }) =>
      method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase(),
    )
    const reply = problem('method_not_allowed', { allow: methods.join(', ') })
    app.all(honoPath(path), (c) => exchange(c, log, path, async () => reply))
  }
  app.notFound((c) => exchange(c, log, null, async () => problem('not_found')))
}

const honoPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

/** Answers one request and logs one line about it; the line holds no path, since a path can hold anything. */
async function exchange(
  c: Context,
  log: Logger,
  route: string | null,
  answer: () => Promise<Reply>,
): Promise<Response> {
  const started = performance.now()
  const request_id = requestId(c.req.header('x-request-id'))
  let reply: Reply
  try {
    reply = await answer()
  } catch (error) {
    log.error({ err: error, request_id }, 'request failed')
    reply =
      error instanceof UnavailableError ? problem('unavailable', { 'retry-after': '1' }) : problem('internal')
  }
  const ms = Math.round((performance.now() - started) * 1000) / 1000
  log.info({ method: c.req.method, route, status: reply.status, ms, request_id }, 'request')
  // Headers go in with the body: set afterwards, they cost node-server's fast path two thirds of its rate.
  return new Response(
    sendable(reply.body, (error) => log.error({ err: error, request_id }, 'answer broke off')),
    {
      status: reply.status,
      headers: { 'cache-control': 'no-store', 'x-request-id': request_id, ...reply.headers },
    },
  )
}

const sendable = (body: Reply['body'], onError: (error: unknown) => void) =>
  body === null || typeof body === 'string' || body instanceof Uint8Array ? body : streamed(body, onError)

/** The client's own id of the request when it is short and harmless in a log, else a new one. */
const requestId = (given = '') => (/^[\w.:-]{1,64}$/.test(given) ? given : randomUUID())

import { randomUUID } from 'node:crypto'
import type { Context, Hono, HonoRequest } from 'hono'
import type { Logger } from 'pino'
import { OverloadedError } from '../limiter.ts'
import { failure } from './failure.ts'
import { problem, type Reply } from './reply.ts'
import { streamed } from './stream.ts'

/** What answers one method of one path, such as '/users/{user_id}'. */
export interface Endpoint {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  readonly path: string
  answer(request: HonoRequest): Promise<Reply> | Reply
}

/** One answered request; the route is as declared, null where there is none. */
export interface Exchange {
  readonly method: string
  readonly route: string | null
  readonly status: number
  /** Until the answer begins, in milliseconds. */
  readonly ms: number
}

/** What is told of every exchange: the log, and whoever else wants to know. */
export interface Audience {
  readonly log: Logger
  readonly observe?: ((exchange: Exchange) => void) | undefined
}

/** Registers the endpoints, and what answers where none does. */
export function mount(app: Hono, endpoints: readonly Endpoint[], audience: Audience): void {
  for (const { method, path, answer } of endpoints) {
    const honoPath = path.replace(/\{(\w+)\}/g, ':$1')
    app.on(method, honoPath, (c) => exchange(c, audience, path, answer))
  }
  const methods = [...new Set(endpoints.map(({ method }) => method.toUpperCase()))]
  app.notFound((c) => {
    // Asked of the router only here: a second handler on every path would keep Hono from its fast way.
    const allowed = methods.filter((method) => hasEndpoint(app, method, c.req.path))
    if (allowed.length === 0) return exchange(c, audience, null, () => problem('not_found'))
    const allow = allowed.join(', ').replace('GET', 'GET, HEAD')
    return exchange(c, audience, null, () => problem('method_not_allowed', { allow }))
  })
}

function hasEndpoint(app: Hono, method: string, path: string): boolean {
  const [matches] = app.router.match(method, path)
  return matches.some(([[, route]]) => route.method === method)
}

/** Answers one request and logs one line about it; the line holds no path, since a path can hold anything. */
async function exchange(
  c: Context,
  { log, observe }: Audience,
  route: string | null,
  answer: Endpoint['answer'],
): Promise<Response> {
  const started = performance.now()
  const request_id = requestId(c.req.header('x-request-id'))
  let reply: Reply
  try {
    reply = await answer(c.req)
  } catch (error) {
    // An overload has no cause to look for, and a stack for each request of a flood would add to it.
    if (!(error instanceof OverloadedError)) log.error({ err: error, request_id }, 'request failed')
    reply = failure(error)
  }
  const { status, body } = reply
  const ms = Math.round((performance.now() - started) * 1000) / 1000
  const told = { method: c.req.method, route, status, ms, request_id }
  log.info(told, 'request')
  observe?.(told)
  // Headers go in with the body: set afterwards, they cost node-server's fast path two thirds of its rate.
  const headers = { 'cache-control': 'no-store', 'x-request-id': request_id, ...reply.headers }
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    return new Response(body, { status, headers })
  }
  const onError = (error: unknown) => log.error({ err: error, request_id }, 'answer broke off')
  return new Response(streamed(body, onError), { status, headers })
}

/** The client's own id of the request when it is short and harmless in a log, else a new one. */
const requestId = (given = '') => (/^[\w.:-]{1,64}$/.test(given) ? given : randomUUID())

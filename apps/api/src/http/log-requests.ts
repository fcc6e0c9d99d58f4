import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context, MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'
import { OverloadError } from '../errors.ts'
import type { AppEnv } from './app-env.ts'
import { openApiPath } from './endpoint.ts'
import { fail, HTTP_ERRORS } from './failures.ts'
import { HEALTH_CHECKS } from './health.ts'
import { distinctLocs } from './validation.ts'

/** A request whose response is about to be sent. */
export interface CompletedRequest {
  readonly method: string
  /** The path as declared, null when no endpoint matches. */
  readonly route: string | null
  readonly status: number
  /** Time until the response starts, in milliseconds. */
  readonly ms: number
}

/** Called for every request, in addition to the log. */
export type OnResponse = (request: CompletedRequest) => void

/**
 * Client errors that an operator may have to explain. A 404, for example, is
 * frequent and needs no explanation.
 */
const WARNINGS = new Set([400, 403, 413, 415, 421, 422])

/**
 * Default headers of responses, which must not be cached, nor taken for another
 * content type.
 */
export const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/**
 * Middleware that gives each request an id and each response its common headers,
 * writes one log line and calls the observers. The line has the route instead of
 * the path, which can contain anything, unless `logsPaths`.
 */
export const logRequests = (
  log: Logger,
  observers: readonly OnResponse[] = [],
  logsPaths = false,
): MiddlewareHandler<AppEnv> =>
  async function logRequests(c, next) {
    const started = performance.now()
    c.env ??= {} // undefined when a test calls the app
    const { incoming, outgoing, rejection } = c.env
    const requestId = requestIdFrom(c.req.header('x-request-id'))
    c.set('requestId', requestId)
    c.set('log', log)
    // Node merges these headers with those of the response. Set by Hono, they
    // would take 1.5 µs more of each request.
    const setHeader = outgoing
      ? outgoing.setHeader.bind(outgoing)
      : c.header.bind(c)
    for (const [name, value] of Object.entries(COMMON_HEADERS))
      setHeader(name, value)
    setHeader('x-request-id', requestId)

    let error: unknown
    try {
      if (rejection) c.res = fail(c, rejection)
      else await next()
      // Overload has no cause to look for.
      if (!(c.error instanceof OverloadError)) error = c.error
    } catch (thrown) {
      // Hono handles errors, but not other values that are thrown.
      error = thrown ?? 'undefined'
      c.res = fail(c, HTTP_ERRORS.internal)
    }
    // The client still sends a body that is not wanted, so the connection is
    // closed. Node's parser reports the end of a body after its last bytes.
    if (incoming && !incoming.complete) await nextTurn()
    if (incoming?.complete === false && outgoing)
      outgoing.shouldKeepAlive = false

    const { method } = c.req
    const { status } = c.res
    const route = rejection ? null : routeOf(c)
    const ms = Math.round((performance.now() - started) * 1000) / 1000
    // The client has disconnected, or has received an error of the server.
    const isAborted = outgoing?.destroyed === true
    if (!isAborted)
      for (const observe of observers) observe({ method, route, status, ms })
    const line = {
      method,
      route: logsPaths ? c.req.path : route,
      ...(!isAborted && { status }),
      ms,
      request_id: requestId,
    }
    if (error !== undefined)
      log.error({ ...line, err: error }, 'request failed')
    else if (isAborted) log.info(line, 'request aborted')
    else if (WARNINGS.has(status))
      log.warn({ ...line, locs: distinctLocs(c.var.issues) }, 'request failed')
    else if (HEALTH_CHECKS.has(route)) log.debug(line, 'request completed')
    else log.info(line, 'request completed')
  }

/** Returns the declared path of the endpoint, null when none matches. */
export function routeOf(c: Context): string | null {
  const path = routePath(c, -1)
  return path === '/*' ? null : openApiPath(path)
}

/**
 * Returns the client's request id when it is short and safe to log, otherwise a
 * new one. `hono/request-id` would replace ids with `.` or `:`.
 */
const requestIdFrom = (header: string | undefined): string =>
  header !== undefined && /^[\w.:-]{1,64}$/.test(header) ? header : randomUUID()

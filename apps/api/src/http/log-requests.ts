import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import type { AppEnv, Exchange } from './env.ts'
import { HTTP_ERRORS } from './errors.ts'
import { HEALTH_CHECKS } from './health.ts'
import { errorResponse } from './response.ts'
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
 * Wraps the `fetch` of an app: gives each request an id, writes one log line
 * and calls the observers. The line has the route instead of the path, which
 * can contain anything.
 */
export function logRequests(
  fetch: Hono<AppEnv>['fetch'],
  {
    log,
    observers,
  }: { readonly log: Logger; readonly observers: readonly OnResponse[] },
): Hono<AppEnv>['fetch'] {
  const bodies = { bytes: 0 }
  return async (request, given = {}) => {
    const started = performance.now()
    const env = given as AppEnv['Bindings']
    const { incoming, outgoing, rejection } = env
    const requestId = requestIdFrom(
      incoming?.headers['x-request-id'] ?? request.headers.get('x-request-id'),
    )
    const exchange: Exchange = {
      requestId,
      log,
      bodies,
      route: null,
      issues: [],
      error: undefined,
    }
    env.exchange = exchange
    let response: Response
    try {
      response = rejection
        ? errorResponse({ env }, rejection)
        : await fetch(request, env)
    } catch (error) {
      // Hono handles what endpoints throw, but neither values that are not
      // errors nor what it throws itself.
      exchange.error = error ?? 'undefined'
      response = errorResponse({ env }, HTTP_ERRORS.internal)
    }
    // The client is still sending a body that is not wanted: the server closes
    // the connection.
    if (incoming && outgoing && !incoming.complete)
      outgoing.shouldKeepAlive = false

    const { method } = request
    const { status } = response
    const { route, error, issues } = exchange
    const ms = Math.round((performance.now() - started) * 1000) / 1000
    // The client has disconnected, or has received an error of the server.
    const isAborted = outgoing?.destroyed === true
    if (!isAborted)
      for (const observe of observers) observe({ method, route, status, ms })
    const line = {
      method,
      route,
      ...(!isAborted && { status }),
      ms,
      request_id: requestId,
    }
    if (error !== undefined)
      log.error({ ...line, err: error }, 'request failed')
    else if (isAborted) log.info(line, 'request aborted')
    else if (WARNINGS.has(status))
      log.warn({ ...line, locs: distinctLocs(issues) }, 'request failed')
    else if (HEALTH_CHECKS.has(route)) log.debug(line, 'request completed')
    else log.info(line, 'request completed')
    return response
  }
}

/**
 * Returns the client's request id when it is short and safe to log, otherwise a
 * new one.
 */
const requestIdFrom = (header: unknown): string =>
  typeof header === 'string' && /^[\w.:-]{1,64}$/.test(header)
    ? header
    : randomUUID()

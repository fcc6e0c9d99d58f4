import { randomUUID } from 'node:crypto'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import { OverloadError } from '../errors.ts'
import type { AppEnv, Exchange } from './env.ts'
import { HTTP_ERRORS } from './errors.ts'
import { errorResponse } from './response.ts'
import { loggableLocs } from './validation.ts'

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

type Env = AppEnv['Bindings']

/** Client errors that an operator may have to explain. A 404, for example, is frequent and needs no explanation. */
const WARNINGS = new Set([400, 403, 413, 415, 421, 422])

/** Wraps the `fetch` of an app: gives each request an id, writes one log line and calls the observers. */
export function logRequests(
  fetch: Hono<AppEnv>['fetch'],
  { log, observers }: { readonly log: Logger; readonly observers: readonly OnResponse[] },
): Hono<AppEnv>['fetch'] {
  const bodies = { bytes: 0 }
  return async (request, given = {}) => {
    const started = performance.now()
    const env = given as Env
    const sent = env.incoming ? env.incoming.headers['x-request-id'] : request.headers.get('x-request-id')
    const exchange = {
      requestId: requestIdFrom(sent),
      log,
      bodies,
      endpoint: null,
      request: undefined,
      issues: [],
      error: undefined,
    }
    env.exchange = exchange
    const response = await respondTo(fetch, request, env)
    const { incoming, outgoing } = env
    // The client is still sending a body that is not wanted: see `lingerAfter`.
    if (incoming && outgoing && !incoming.complete) outgoing.shouldKeepAlive = false
    report(exchange, observers, {
      method: request.method,
      status: response.status,
      ms: Math.round((performance.now() - started) * 1000) / 1000,
      isSent: outgoing?.destroyed !== true,
    })
    return response
  }
}

/** Hono handles what endpoints throw, but neither values that are not errors nor what it throws itself. */
async function respondTo(fetch: Hono<AppEnv>['fetch'], request: Request, env: Env): Promise<Response> {
  try {
    return await fetch(request, env)
  } catch (error) {
    env.exchange.error = error ?? 'undefined'
    return errorResponse({ env }, HTTP_ERRORS.internal)
  }
}

/** Returns the client's request id when it is short and safe to log, otherwise a new one. */
const requestIdFrom = (header: string | string[] | null | undefined): string =>
  typeof header === 'string' && /^[\w.:-]{1,64}$/.test(header) ? header : randomUUID()

interface Outcome extends Omit<CompletedRequest, 'route'> {
  /** Whether the response can be sent. Otherwise the client has disconnected, or has received an error of the server. */
  readonly isSent: boolean
}

/**
 * Logs a response and passes it to the observers. The line has the route instead of the path, which can contain
 * anything. When the request fails, the line also has the valid ids of the path and the locations of what is invalid.
 */
function report(exchange: Exchange, observers: readonly OnResponse[], { isSent, ...outcome }: Outcome): void {
  const { log, endpoint, error, requestId: request_id } = exchange
  const { method, status, ms } = outcome
  const route = endpoint?.path ?? null
  const isFailure = error !== undefined && !(error instanceof OverloadError)
  if (isFailure)
    log.error({ method, route, status, ms, request_id, ...details(exchange), err: error }, 'request failed')
  else if (!isSent) log.info({ method, route, ms, request_id }, 'request aborted')
  else if (endpoint?.isHealthCheck) log.debug({ method, route, status, ms, request_id }, 'request completed')
  else if (!WARNINGS.has(status)) log.info({ method, route, status, ms, request_id }, 'request completed')
  else if (log.isLevelEnabled('warn'))
    log.warn({ method, route, status, ms, request_id, ...details(exchange) }, 'request failed')
  if (isSent) for (const observe of observers) observe({ method, route, status, ms })
}

/** Collects these only for a written line, because they take longer than the rest of a rejection. */
function details({ endpoint, request, issues }: Exchange) {
  const ids = (request && endpoint?.pathIds?.(request)) ?? {}
  return {
    ...(Object.keys(ids).length > 0 && { ids }),
    ...(issues.length > 0 && { locs: loggableLocs(issues) }),
  }
}

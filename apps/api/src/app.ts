import { Hono } from 'hono'
import { cors } from 'hono/cors'
import type { Logger } from 'pino'
import type { OpenDatabase } from './database/open.ts'
import { docsEndpoints } from './http/docs.ts'
import { type AppEnv, METHODS } from './http/env.ts'
import { healthEndpoints } from './http/health.ts'
import { logRequests, type OnResponse } from './http/log-requests.ts'
import { mount, pathOf } from './http/mount.ts'
import type { Profile, ProfileSettings } from './profile.ts'

export interface AppOptions {
  readonly profile: Profile
  readonly database: OpenDatabase
  readonly log: Logger
  /** The version of the service, which /healthz returns. */
  readonly version?: string
  readonly settings?: ProfileSettings
  readonly observers?: readonly OnResponse[]
  /**
   * Origins whose pages may call the service from a browser, or `*` for all.
   * Without the option, no page of another origin may.
   */
  readonly corsOrigins?: readonly string[] | undefined
  /** Aborted when the service is about to stop. */
  readonly stopping?: AbortSignal
}

/** Creates the whole service as a web-standard `fetch` function. */
export function createApp({
  profile,
  database,
  log,
  version,
  settings,
  corsOrigins,
  ...rest
}: AppOptions): Hono<AppEnv> {
  const { observers = [], stopping = new AbortController().signal } = rest
  const app = new Hono<AppEnv>({ getPath: pathOf })
  const routes = profile.endpoints(database.db, settings)
  // Added only when configured: middleware that changes response headers
  // disables node-server's fast path.
  if (corsOrigins) app.use(corsFor(corsOrigins))
  const { migrations } = profile
  const health = healthEndpoints({
    database,
    migrations,
    stopping,
    log,
    version,
  })
  mount(
    app,
    [...docsEndpoints(profile, routes), ...health, ...routes],
    corsOrigins,
  )
  app.fetch = logRequests(app.fetch, { log, observers })
  return app
}

const corsFor = (origins: readonly string[]) =>
  cors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: METHODS,
    allowHeaders: [
      'Content-Type',
      'X-Request-Id',
      'traceparent',
      'tracestate',
      'baggage',
    ],
    exposeHeaders: ['Link', 'X-Request-Id', 'Retry-After'],
    maxAge: 600,
  })

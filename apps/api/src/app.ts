import { Hono } from 'hono'
import { cors } from 'hono/cors'
import type { Logger } from 'pino'
import type { Database } from './database/database.ts'
import { docsEndpoints } from './http/docs.ts'
import { healthEndpoints } from './http/health.ts'
import { type Exchange, mount } from './http/mount.ts'
import { createLimiter, type Limiter } from './limiter.ts'
import type { Profile } from './profile.ts'
import { profileA } from './profile-a/index.ts'
import { profileB } from './profile-b/index.ts'

export const PROFILES = { a: profileA, b: profileB } as const satisfies Record<string, Profile>

export interface AppOptions {
  readonly profile: Profile
  readonly db: Database
  readonly log: Logger
  /** Told of every exchange, beside the log. */
  readonly observe?: ((exchange: Exchange) => void) | undefined
  /** Sites whose pages may call the service from a browser, or `*` for all; nobody unless given. */
  readonly corsOrigins?: readonly string[] | undefined
  readonly hashing?: Limiter
  /** Aborted when the service is about to stop. */
  readonly stopping?: AbortSignal
}

/** The whole service as a web-standard `fetch` function. */
export function createApp({
  profile,
  db,
  log,
  observe,
  corsOrigins,
  hashing = createLimiter({ running: 2, waiting: 100 }),
  stopping = new AbortController().signal,
}: AppOptions): Hono {
  const app = new Hono()
  // Only when asked for: the middleware touches the headers of every answer, which costs node-server's fast path.
  if (corsOrigins) app.use(corsFor(corsOrigins))
  const routes = profile.routes(db, { hashing })
  mount(
    app,
    [...docsEndpoints(profile, routes), ...healthEndpoints(db, profile.migrations, stopping), ...routes],
    { log, observe },
  )
  return app
}

const corsFor = (origins: readonly string[]) =>
  cors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    allowHeaders: ['Content-Type', 'X-Request-Id'],
    exposeHeaders: ['Link', 'X-Request-Id', 'Retry-After'],
    maxAge: 600,
  })

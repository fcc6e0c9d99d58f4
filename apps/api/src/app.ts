import { Hono } from 'hono'
import { cors } from 'hono/cors'
import type { Database } from './database/database.ts'
import { docsEndpoints } from './http/docs.ts'
import { healthEndpoints } from './http/health.ts'
import { type MountOptions, mount, pathOf, REQUEST_METHODS } from './http/mount.ts'
import type { AppEnv } from './http/request.ts'
import type { Profile, ProfileService } from './profile.ts'

export interface AppOptions extends MountOptions {
  readonly profile: Profile
  readonly db: Database
  /** The version of the service, which /healthz returns. */
  readonly version?: string
  /** The endpoints of the profile. When absent, `createApp` creates them with default settings. */
  readonly service?: ProfileService
  /** Aborted when the service is about to stop. */
  readonly stopping?: AbortSignal
}

/** Creates the whole service as a web-standard `fetch` function. */
export function createApp(options: AppOptions): Hono<AppEnv> {
  const { profile, db, log, version, corsOrigins } = options
  const { service = profile.createService(db), stopping = new AbortController().signal } = options
  const app = new Hono<AppEnv>({ getPath: pathOf })
  // Added only when configured: middleware that changes response headers disables node-server's fast path.
  if (corsOrigins) app.use(corsFor(corsOrigins))
  const endpoints = [
    ...docsEndpoints(profile, service.routes),
    ...healthEndpoints({ db, migrations: profile.migrations, stopping, log, version }),
    ...service.routes,
  ]
  mount(app, endpoints, options)
  return app
}

const corsFor = (origins: readonly string[]) =>
  cors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: [...REQUEST_METHODS],
    allowHeaders: ['Content-Type', 'X-Request-Id'],
    exposeHeaders: ['Link', 'X-Request-Id', 'Retry-After'],
    maxAge: 600,
  })

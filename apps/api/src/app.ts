import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { isUnavailable } from './database/driver-errors.ts'
import { OverloadError } from './errors.ts'
import type { AppEnv } from './http/app-env.ts'
import { docs } from './http/docs.ts'
import { fail, HTTP_ERRORS } from './http/failures.ts'
import { rejectOtherOrigins } from './http/origin.ts'
import { declaredRoutes } from './http/routes.ts'
import type { Watch } from './metric.ts'
import type { Profile } from './profile.ts'
import { profileA } from './profile-a/index.ts'
import { profileB } from './profile-b/index.ts'
import { type HealthOptions, health } from './server/health.ts'
import { logRequests, type OnResponse } from './server/log-requests.ts'
import {
  METHODS,
  pathOf,
  SERVER,
  UNSAFE_METHODS,
} from './server/request-line.ts'
import type { ProfileName } from './variables.ts'

export const PROFILES = { a: profileA, b: profileB } as const satisfies Record<
  ProfileName,
  Profile
>

/**
 * The endpoints of a service that runs with `PROFILE=a` (the default), for
 * Hono's client `hc`.
 *
 * @example
 * const client = hc<AppType>('http://127.0.0.1:3000')
 */
export type AppType = ReturnType<typeof profileA.app>

export interface AppOptions extends Omit<HealthOptions, 'migrations'> {
  readonly profile: Profile
  readonly watch?: Watch | undefined
  readonly observers?: readonly (OnResponse | undefined)[]
  readonly logsPaths?: boolean
  readonly corsOrigins?: readonly string[] | undefined
  readonly corsCredentials?: boolean
}

export function createApp(options: AppOptions): Hono<AppEnv> {
  const { profile, database, log, corsOrigins } = options
  const endpoints = profile.app(database.db, options.watch)
  const app = new Hono<AppEnv>({ getPath: pathOf })
  if (corsOrigins)
    app.use(
      cors({
        origin: corsOrigins.includes('*') ? '*' : [...corsOrigins],
        allowMethods: METHODS,
        credentials: options.corsCredentials ?? false,
        exposeHeaders: ['Link', 'X-Request-Id', 'Retry-After'],
        maxAge: 600,
      }),
    )
  app.on(UNSAFE_METHODS, '*', rejectOtherOrigins(corsOrigins))
  app.route('/', docs(profile, declaredRoutes(endpoints.routes)))
  app.route('/', health({ ...options, migrations: profile.migrations }))
  app.route('/', endpoints)
  app.notFound((c) => {
    const { method, path } = c.req
    if (method === 'OPTIONS' && path === SERVER)
      return c.body(null, 204, { allow: METHODS.join(', ') })
    const allowed = METHODS.filter((method) =>
      app.router
        .match(method, path)[0]
        .some(([[, route]]) => route.path !== '/*'),
    )
    if (allowed.length === 0) return fail(c, HTTP_ERRORS.not_found)
    c.header('allow', allowed.join(', ').replace('GET', 'GET, HEAD'))
    return fail(c, HTTP_ERRORS.method_not_allowed)
  })
  app.onError((error, c) => {
    // Does not log overload errors: a flood of them would fill the log.
    if (c.env.exchange && !(error instanceof OverloadError))
      c.env.exchange.error = error
    return fail(
      c,
      isUnavailable(error) ? HTTP_ERRORS.unavailable : HTTP_ERRORS.internal,
    )
  })
  app.fetch = logRequests(app, log, options.observers, options.logsPaths)
  return app
}

import { Hono } from 'hono'
import type { Logger } from 'pino'
import type { Database } from './database/database.ts'
import { docsEndpoints } from './http/docs.ts'
import { healthEndpoints } from './http/health.ts'
import { mount } from './http/mount.ts'
import type { Profile } from './profile.ts'
import { profileA } from './profile-a/index.ts'
import { profileB } from './profile-b/index.ts'

export const PROFILES = { a: profileA, b: profileB } as const satisfies Record<string, Profile>

export interface AppOptions {
  readonly profile: Profile
  readonly db: Database
  readonly log: Logger
}

/** The whole service as a web-standard `fetch` function. */
export function createApp({ profile, db, log }: AppOptions): Hono {
  const app = new Hono()
  const routes = profile.routes(db)
  mount(app, [...docsEndpoints(profile, routes), ...healthEndpoints(db), ...routes], log)
  return app
}

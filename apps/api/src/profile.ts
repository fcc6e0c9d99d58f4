import type { Env, Hono } from 'hono'
import type { AnyDatabase } from './database/engine.ts'
import type { Migrations } from './database/migrate.ts'
import type { ApiDescription } from './http/openapi.ts'
import type { Watch } from './metric.ts'

export interface Profile extends ApiDescription {
  readonly migrations: Migrations
  storeDemo(db: AnyDatabase): Promise<boolean>
  // biome-ignore lint/suspicious/noExplicitAny: each profile has its own endpoints.
  app(db: AnyDatabase, watch?: Watch): Hono<Env, any>
}

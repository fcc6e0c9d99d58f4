import type { Env, Hono } from 'hono'
import type { AnyDatabase } from './database/engine.ts'
import type { Migrations } from './database/migrate.ts'
import type { ApiDescription } from './http/openapi.ts'
import type { Watch } from './metric.ts'

/** A variant of the service, with its own database schema and endpoints. */
export interface Profile extends ApiDescription {
  readonly migrations: Migrations
  /**
   * Stores demo data in an empty database. Returns false for any other
   * database.
   */
  storeDemo(db: AnyDatabase): Promise<boolean>
  /** Creates a Hono app, and registers the app's metrics by `watch`. */
  // biome-ignore lint/suspicious/noExplicitAny: each profile has its own endpoints.
  app(db: AnyDatabase, watch?: Watch): Hono<Env, any>
}

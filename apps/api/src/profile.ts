import type { Hono } from 'hono'
import type { AnyDatabase } from './database/engine.ts'
import type { Migrations } from './database/migrate.ts'
import type { AppEnv } from './http/app-env.ts'
import type { ApiDescription } from './http/openapi.ts'

/** A metric that /metrics exposes. */
export interface Metric {
  readonly type: 'gauge' | 'counter'
  readonly name: string
  readonly help: string
  readonly read: () => number
}

/** One variant of the service, with a database schema and endpoints. */
export interface Profile extends ApiDescription {
  readonly migrations: Migrations
  readonly isInMemory?: boolean
  /**
   * Stores demo data, with the examples of the document, in an empty database.
   * Returns whether it was empty.
   */
  storeDemo(db: AnyDatabase): Promise<boolean>
  /**
   * Creates the app of the endpoints, and registers its metrics, such as the
   * length of a queue, by calling `watch`. Called once for each running
   * service.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each profile has its own endpoints.
  app(db: AnyDatabase, watch?: (metric: Metric) => void): Hono<AppEnv, any>
}

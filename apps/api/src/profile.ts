import type { Database } from './database/database.ts'
import type { Migrations } from './database/migrate.ts'
import type { SampleOptions, SampleRows } from './database/samples.ts'
import type { TableShape } from './database/table.ts'
import type { ApiDescription } from './http/openapi.ts'
import type { Route } from './http/route.ts'

/** One variant of the service: its schema and its endpoints. */
export interface Profile extends ApiDescription {
  readonly migrations: Migrations
  /** The tables that `copy` copies, parents first; undefined for a profile whose records are kept in memory only. */
  readonly tables?: readonly TableShape[]
  /** Yields rows to fill a database with, for demos and load tests; undefined for a profile without tables. */
  createSamples?(options: SampleOptions): Iterable<SampleRows>
  /** Creates the endpoints. Called once for each running service. */
  createService(db: Database, settings?: ProfileSettings): ProfileService
}

/** Settings of the configuration that a profile may use. */
export interface ProfileSettings {
  /** How many passwords are hashed at the same time, and how many registrations wait for it. */
  readonly hashing: { readonly concurrency: number; readonly queueLimit: number }
}

export interface ProfileService {
  readonly routes: readonly Route[]
  readonly measurements?: readonly Measurement[]
}

/** A number that the profile reports as a Prometheus metric. */
export interface Measurement {
  readonly type: 'gauge' | 'counter'
  readonly name: string
  readonly help: string
  read(): number
}

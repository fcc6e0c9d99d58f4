import type { Database } from './database/database.ts'
import type { Migrations } from './database/migrate.ts'
import type { TableShape } from './database/table.ts'
import type { ApiDescription } from './http/openapi.ts'
import type { Route } from './http/route.ts'

/** One variant of the service, with a database schema and endpoints. */
export interface Profile extends ApiDescription {
  readonly migrations: Migrations
  /** The tables of the schema, parents first. Undefined for a profile that keeps records in memory only. */
  readonly tables?: readonly TableShape[]
  /** Stores demo data in an empty database, and returns whether it was empty. */
  storeDemo?(db: Database): Promise<boolean>
  /** Creates the endpoints. Called once for each running service. */
  createService(db: Database, settings?: ProfileSettings): ProfileService
}

/** The part of the configuration that a profile may use. */
export interface ProfileSettings {
  /** Maximum number of passwords hashed at the same time, and of registrations that wait for a hash. */
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

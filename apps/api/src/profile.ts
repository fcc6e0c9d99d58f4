import type { Database } from './database/database.ts'
import type { Migrations } from './database/migrate.ts'
import type { TableShape } from './database/table.ts'
import type { ApiDescription } from './http/openapi.ts'
import type { Route } from './http/route.ts'
import type { PasswordHasher } from './passwords.ts'

/** One variant of the service, with a database schema and endpoints. */
export interface Profile extends ApiDescription {
  readonly migrations: Migrations
  /** The tables of the schema, parents first. Undefined for a profile that keeps records in memory only. */
  readonly tables?: readonly TableShape[]
  /** Stores demo data in an empty database, and returns whether it was empty. */
  storeDemo?(db: Database): Promise<boolean>
  /** Creates the endpoints. Called once for each running service. */
  endpoints(db: Database, settings?: ProfileSettings): Route[]
}

/** What a profile may use beside its database. */
export interface ProfileSettings {
  readonly passwords: PasswordHasher
}

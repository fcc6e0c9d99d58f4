import type { Kysely } from 'kysely'
import type { Migrations } from './database/migrate.ts'
import type { ApiDescription } from './http/openapi.ts'
import type { Route } from './http/route.ts'
import type { PasswordHasher } from './passwords.ts'

/** One variant of the service, with a database schema and endpoints. */
export interface Profile extends ApiDescription {
  readonly migrations: Migrations
  /** Whether records are kept in memory only. */
  readonly isInMemory?: boolean
  /**
   * Stores demo data, with the examples of the document, in an empty database.
   * Returns whether it was empty.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each profile has its own tables.
  storeDemo(db: Kysely<any>): Promise<boolean>
  /** Creates the endpoints. Called once for each running service. */
  // biome-ignore lint/suspicious/noExplicitAny: each profile has its own tables.
  endpoints(db: Kysely<any>, settings?: ProfileSettings): Route[]
}

/** What a profile may use beside its database. */
export interface ProfileSettings {
  readonly passwords: PasswordHasher
}

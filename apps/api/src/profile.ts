import type { Table } from './database/copy.ts'
import type { Database } from './database/database.ts'
import type { Migrations } from './database/migrate.ts'
import type { Route } from './http/route.ts'
import type { Limiter } from './limiter.ts'

/** One variant of the service: its own schema and its own endpoints. */
export interface Profile {
  readonly title: string
  readonly description: string
  /** Groups of operations in the documentation, by name. */
  readonly tags: Readonly<Record<string, string>>
  readonly migrations: Migrations
  /** What a copy of the database takes with it, in this order; nothing where records are kept in memory alone. */
  readonly tables?: readonly Table[]
  routes(db: Database, shared: Shared): readonly Route[]
}

/** What a profile gets beside its database, for as long as the service runs. */
export interface Shared {
  /** Where passwords are hashed, in turn. */
  readonly hashing: Limiter
}

import {
  type Dialect,
  type Driver,
  type Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { type GroupCommitConfig, GroupCommitDriver } from './driver.ts'

/** A SQLite dialect for `better-sqlite3` with group commit: see README.md. */
export class GroupCommitDialect implements Dialect {
  readonly createDriver: () => Driver
  constructor(config: GroupCommitConfig) {
    this.createDriver = () => new GroupCommitDriver(config)
  }
  createAdapter = () => new Adapter()
  createQueryCompiler = () => new SqliteQueryCompiler()
  createIntrospector = (db: Kysely<unknown>) => new SqliteIntrospector(db)
}

class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true
  }
  override get supportsTransactionalDdl() {
    // Lets Kysely migrate in one transaction, so that two processes cannot
    // migrate at once.
    return true
  }
}

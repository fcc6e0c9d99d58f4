import {
  type Dialect,
  type Driver,
  type Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { type GroupCommitConfig, GroupCommitDriver } from './driver.ts'

/**
 * Kysely's SQLite dialect for `better-sqlite3` with group commit: see
 * README.md.
 */
export class GroupCommitDialect implements Dialect {
  readonly createDriver: () => Driver
  constructor(config: GroupCommitConfig) {
    this.createDriver = () => new GroupCommitDriver(config)
  }
  createAdapter = () => new Adapter()
  createQueryCompiler = () => new Compiler()
  createIntrospector = (db: Kysely<unknown>) => new SqliteIntrospector(db)
}

class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    // False would make Kysely run one statement or transaction at a time.
    return true
  }
  override get supportsTransactionalDdl() {
    // Kysely's migrator then uses one transaction, which excludes other
    // processes.
    return true
  }
}

/**
 * Writes each parameter as `+?`, which has the same value but hides it from the
 * query planner. SQLite built with STAT4, as better-sqlite3 is, plans a join
 * again whenever a value is bound that the planner can see: five times the time
 * of the join.
 */
class Compiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder = () => '+?'
}

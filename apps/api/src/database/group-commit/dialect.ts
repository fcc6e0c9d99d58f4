import { SqliteAdapter, SqliteDialect, SqliteQueryCompiler } from 'kysely'
import { GroupCommitDriver } from './driver.ts'
import type { GroupCommitConfig } from './groups.ts'

/**
 * Kysely's SQLite dialect for `better-sqlite3`, with prepared statements, one connection for reads, and one for writes
 * that commits the writes of a turn of the event loop together: the disk is flushed once for all of them.
 *
 * @example
 * const db = new Kysely<Tables>({ dialect: new GroupCommitDialect({ writer, reader }) })
 */
export class GroupCommitDialect extends SqliteDialect {
  /** Number of commits, each of which can contain several writes, and of stored writes. */
  readonly stats = { commits: 0, writes: 0 }
  readonly #config: GroupCommitConfig

  constructor(config: GroupCommitConfig) {
    super({ database: config.writer })
    this.#config = config
  }
  override createDriver() {
    return new GroupCommitDriver(this.#config, this.stats)
  }
  override createAdapter() {
    return new Adapter()
  }
  override createQueryCompiler() {
    return new Compiler()
  }
}

class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true // Kysely would otherwise run one statement or transaction at a time
  }
  override get supportsTransactionalDdl() {
    return true // the migrator then runs in one transaction, which excludes other processes
  }
}

/**
 * Writes each parameter as `+?`, which has the same value but hides it from the query planner. SQLite built with STAT4, as
 * better-sqlite3 is, plans a join again whenever a value is bound that the planner can see: five times the time of the join.
 */
class Compiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder() {
    return '+?'
  }
}

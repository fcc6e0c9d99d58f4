import type Sqlite from 'better-sqlite3'
import { type DatabaseConnection, SqliteDriver } from 'kysely'
import { Connection } from './connection.ts'
import { type Prepare, preparing } from './prepare.ts'
import { TIMEOUT_MS } from './statements.ts'
import { Writer } from './writer.ts'

export interface GroupCommitConfig {
  /** The connection that writes. It needs `journal_mode = WAL`. */
  readonly writer: Sqlite.Database
  /**
   * A second connection to the same file, for reads. Without it, as for
   * `:memory:`, reads wait for open transactions.
   */
  readonly reader?: Sqlite.Database
  /**
   * Called before each group of writes and after its commit. An error rejects
   * these writes, even if they are committed. Also called before the driver
   * closes its connections, where an error is ignored.
   */
  readonly check?: () => void
  /**
   * Maximum wait for the lock of another process, in milliseconds. Also, a
   * transaction that runs no statement for this time is rolled back.
   */
  readonly timeoutMs?: number
}

export class GroupCommitDriver extends SqliteDriver {
  readonly #writer: Writer
  readonly #reader: Sqlite.Database | undefined
  readonly #prepareRead: Prepare | undefined

  constructor(config: GroupCommitConfig) {
    const { writer, reader, timeoutMs = TIMEOUT_MS, check } = config
    super({ database: writer })
    // Turns off SQLite's own wait for locks, which would block the event loop.
    for (const connection of [writer, reader])
      connection?.pragma('busy_timeout = 0')
    this.#writer = new Writer(writer, timeoutMs, check)
    this.#reader = reader
    this.#prepareRead = reader && preparing(reader)
  }
  override async init() {}
  // Returns a new object for each operation, so Kysely never waits for a
  // connection.
  override acquireConnection = async () =>
    new Connection(this.#writer, this.#prepareRead)
  override releaseConnection = async (connection?: DatabaseConnection) =>
    (connection as Connection).release()
  override async destroy() {
    await this.#writer.end()
    this.#reader?.close()
    this.#writer.db.close()
  }
}

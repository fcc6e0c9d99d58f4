import type Sqlite from 'better-sqlite3'
import { type DatabaseConnection, SqliteDriver } from 'kysely'
import { Connection } from './connection.ts'
import { type Prepare, preparing } from './prepare.ts'
import { TIMEOUT_MS } from './statements.ts'
import { Writer } from './writer.ts'

export interface GroupCommitConfig {
  /**
   * The caller must set `journal_mode = WAL`, so that reads do not block
   * commits.
   */
  readonly writer: Sqlite.Database
  /**
   * A second connection, for reads, to the same file as `writer`. If omitted,
   * as for `:memory:`, reads wait for open transactions.
   */
  readonly reader?: Sqlite.Database
  /**
   * Throws if the database file was replaced. Called before and after each
   * SQLite transaction, and before the connections close. An error after the
   * commit rejects all writes of the transaction, because the old file, which
   * contains the writes, is lost.
   */
  readonly check?: () => void
  /**
   * Maximum wait in milliseconds for the lock of another process. A transaction
   * that runs no statement for the same time is rolled back.
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
    // Disables SQLite's own wait for a lock, which would block the event loop.
    for (const connection of [writer, reader])
      connection?.pragma('busy_timeout = 0')
    this.#writer = new Writer(writer, timeoutMs, check)
    this.#reader = reader
    this.#prepareRead = reader && preparing(reader)
  }
  override async init() {}
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

import { createHash } from 'node:crypto'
import { Socket } from 'node:net'
import {
  type CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'

export interface PipelineConfig extends PostgresDialectConfig {
  /**
   * Options of the shared connections. Transactions use connections of `pool`.
   */
  readonly client: pg.ClientConfig
  /** Number of shared connections for reads, and of those for writes. */
  readonly connections?: number
  /**
   * Time without any response after which a shared connection is given up, in
   * milliseconds.
   */
  readonly stallMs?: number
}

/**
 * Time without a response after which other connections are preferred, in
 * milliseconds.
 */
const PATIENCE_MS = 5

/**
 * Maximum number of prepared statements. Later ones are sent without a name.
 */
const NAME_LIMIT = 500

/** Kysely's PostgreSQL dialect with pipelining: see README.md. */
export class PipelineDialect extends PostgresDialect {
  readonly #config: PipelineConfig
  constructor(config: PipelineConfig) {
    super(config)
    this.#config = config
  }
  override createDriver() {
    return new PipelineDriver(this.#config)
  }
}

/**
 * One connection that many requests share. Opened when it is needed, and again
 * after it has broken.
 */
class SharedClient {
  /** Number of statements that wait for their response. */
  running = 0
  readonly #config: pg.ClientConfig
  readonly #stallMs: number
  #connecting: Promise<pg.Client> | undefined
  #socket = new Socket()
  /**
   * The time of the last response, or of the first statement since the
   * connection was idle.
   */
  #progress = 0
  #timer: NodeJS.Timeout | undefined

  constructor(config: pg.ClientConfig, stallMs: number) {
    this.#config = config
    this.#stallMs = stallMs
  }

  /**
   * Whether the server has responded to nothing for a while, as when a
   * statement waits for a lock.
   */
  get isStuck(): boolean {
    return this.running > 0 && performance.now() - this.#progress > PATIENCE_MS
  }

  async query(query: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#connecting ??= this.#connect()
    const connecting = this.#connecting
    this.running += 1
    if (this.running === 1) this.#watch()
    try {
      return await (await connecting).query(query)
    } catch (error) {
      // 25006: the server has become a standby, and the host name may lead to
      // the primary.
      const isUseless = isDisconnected(error) || codeOf(error) === '25006'
      if (isUseless && this.#connecting === connecting) this.#disconnect()
      throw error
    } finally {
      this.running -= 1
      this.#watch()
    }
  }

  async end(): Promise<void> {
    const client = await this.#connecting?.catch(() => undefined)
    await client?.end()
  }

  #connect(): Promise<pg.Client> {
    const socket = new Socket()
    const client = new pg.Client({
      ...this.#config,
      pipeline: true,
      keepAlive: true,
      stream: () => socket,
    })
    const connecting = client.connect().then(() => client)
    const forget = () => {
      if (this.#connecting === connecting) this.#connecting = undefined
    }
    connecting.catch(forget)
    client.on('error', forget).on('end', forget)
    this.#socket = socket
    return connecting
  }

  /** Makes the next statement connect again. */
  #disconnect(): void {
    this.#connecting = undefined
    this.#socket.destroy()
  }

  /** Starts the time without a response again. */
  #watch(): void {
    this.#progress = performance.now()
    if (this.running > 0 && this.#timer) this.#timer.refresh()
    else {
      clearTimeout(this.#timer)
      const stalled = () => this.#socket.destroy()
      this.#timer =
        this.running > 0 ? setTimeout(stalled, this.#stallMs) : undefined
    }
  }
}

class PipelineDriver extends PostgresDriver {
  /**
   * The first half is for reads, because a write can wait for a lock, and the
   * statements behind it with it.
   */
  readonly clients: readonly SharedClient[]
  readonly #names = new Map<string, string>()
  #isPreparing = true

  constructor(config: PipelineConfig) {
    super(config)
    const { client, connections = 2, stallMs = 15_000 } = config
    this.clients = Array.from(
      { length: 2 * connections },
      () => new SharedClient(client, stallMs),
    )
  }
  override async acquireConnection(): Promise<DatabaseConnection> {
    return new SharedConnection(this)
  }
  override async beginTransaction(
    connection: SharedConnection,
    settings: TransactionSettings,
  ) {
    connection.reserved = await super.acquireConnection()
    await super.beginTransaction(connection, settings)
  }
  override async rollbackTransaction(connection: unknown) {
    await super.rollbackTransaction(
      (connection as SharedConnection).reserved as never,
    )
  }
  override async releaseConnection(connection: unknown) {
    const { reserved } = connection as SharedConnection
    if (reserved) await super.releaseConnection(reserved as never)
  }
  override async destroy() {
    await Promise.all(this.clients.map((client) => client.end()))
    await super.destroy()
  }

  async run({
    sql,
    parameters,
    query,
  }: CompiledQuery): Promise<pg.QueryResult> {
    const isRead = query.kind === 'SelectQueryNode'
    const half = this.clients.length / 2
    const [client] = this.clients
      .slice(isRead ? 0 : half, isRead ? half : undefined)
      .sort(
        (a, b) =>
          Number(a.isStuck) - Number(b.isStuck) || a.running - b.running,
      ) as [SharedClient]
    const statement = { text: sql, values: [...parameters] }
    const name = this.#isPreparing ? this.#nameOf(sql) : undefined
    try {
      return await client.query(
        name === undefined ? statement : { ...statement, name },
      )
    } catch (error) {
      if (isPreparationInvalid(error)) this.#isPreparing = false
      // Not a write on a lost connection, because the server may have run it.
      else if (
        !NOT_RUN.has(codeOf(error)) &&
        !(isRead && isDisconnected(error))
      )
        throw error
      return client.query(statement)
    }
  }

  /**
   * Returns a name that is the same in every process, because they can share a
   * connection of a pooler.
   */
  #nameOf(sql: string): string | undefined {
    const known = this.#names.get(sql)
    if (known !== undefined || this.#names.size >= NAME_LIMIT) return known
    const name = createHash('sha256').update(sql).digest('base64url')
    this.#names.set(sql, name)
    return name
  }
}

class SharedConnection implements DatabaseConnection {
  readonly #driver: PipelineDriver
  /** The connection of the transaction that has begun on this one. */
  reserved: DatabaseConnection | undefined

  constructor(driver: PipelineDriver) {
    this.#driver = driver
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.reserved) return this.reserved.executeQuery<R>(query)
    const { command, rowCount, rows } = await this.#driver.run(query)
    if (command === 'SELECT' || rowCount === null) return { rows }
    return { rows, numAffectedRows: BigInt(rowCount) }
  }

  // biome-ignore lint/correctness/useYield: `pg` rejects cursors on a pipelined connection.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error(
      'PipelineDialect does not stream: read page by page, each after the last key',
    )
  }
}

const codeOf = (error: unknown) =>
  String((error as { code?: unknown } | null)?.code)

/**
 * Returns whether the connection has ended, or the server ends it: it shuts
 * down, or the session was idle for too long.
 */
const isDisconnected = (error: unknown): boolean =>
  /^(?:ECONNRESET|EPIPE|57P0[15])$/.test(codeOf(error)) ||
  /^Error: Connection terminated/.test(String(error))

/**
 * Returns whether a statement must be sent without its name. A pooler such as
 * PgBouncer in transaction mode has chosen another connection than the one that
 * prepared it (26000, 42P05), or the type of a column has changed. In these
 * cases, the server has not run the statement.
 */
const isPreparationInvalid = (error: unknown): boolean =>
  /^(?:26000|42P05)$/.test(codeOf(error)) ||
  (error as { routine?: string } | null)?.routine === 'RevalidateCachedQuery'

/**
 * The server has not run the statement, because it had closed the idle
 * connection (57P05), or has rolled it back for the sake of another one:
 * serialization failure, deadlock.
 */
const NOT_RUN = new Set(['57P05', '40001', '40P01'])

import { createHash } from 'node:crypto'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import { isDisconnected, PipelinedClient } from './client.ts'

export interface PipelineConfig extends PostgresDialectConfig {
  /** Options of the shared connections. Transactions use connections of `pool`. */
  readonly client: pg.ClientConfig
  /** Number of shared connections for reads, and of those for writes. */
  readonly connections?: number
  /** Time without any response after which a shared connection is given up, in milliseconds. */
  readonly stallMs?: number
}

/**
 * Kysely's PostgreSQL dialect in which statements outside of transactions share a few connections: `pg` sends them without
 * waiting for the responses to earlier ones (pipelining), and prepares each of them once.
 *
 * @example
 * const db = new Kysely<Tables>({ dialect: new PipelineDialect({ client: { connectionString }, pool }) })
 */
export class PipelineDialect extends PostgresDialect {
  readonly #reads: readonly PipelinedClient[]
  readonly #writes: readonly PipelinedClient[]
  readonly #config: PipelineConfig

  constructor(config: PipelineConfig) {
    super(config)
    const { client, connections = 2, stallMs = 15_000 } = config
    const create = () => Array.from({ length: connections }, () => new PipelinedClient(client, stallMs))
    this.#config = config
    // A write can wait for a lock, and the statements behind it with it, so reads have separate connections.
    this.#reads = create()
    this.#writes = create()
  }
  /** Number of shared connections on which a statement waits for its response. */
  get busy(): number {
    return [...this.#reads, ...this.#writes].filter(({ running }) => running > 0).length
  }
  /** Number of other shared connections, open or not. */
  get idle(): number {
    return this.#reads.length + this.#writes.length - this.busy
  }
  override createDriver() {
    return new PipelineDriver(this.#config, this.#reads, this.#writes)
  }
}

/** Maximum number of prepared statements. Later ones are sent without a name. */
const NAME_LIMIT = 500

class PipelineDriver implements Driver {
  readonly transactions: Driver
  readonly #reads: readonly PipelinedClient[]
  readonly #writes: readonly PipelinedClient[]
  readonly #names = new Map<string, string>()
  #isPreparing = true

  constructor(config: PipelineConfig, reads: readonly PipelinedClient[], writes: readonly PipelinedClient[]) {
    this.transactions = new PostgresDriver(config)
    this.#reads = reads
    this.#writes = writes
  }
  init = () => this.transactions.init()
  async acquireConnection() {
    return new SharedConnection(this)
  }
  async releaseConnection(connection: SharedConnection) {
    if (connection.reserved) await this.transactions.releaseConnection(connection.reserved)
  }
  async beginTransaction(connection: SharedConnection, settings: TransactionSettings) {
    connection.reserved = await this.transactions.acquireConnection()
    await this.transactions.beginTransaction(connection.reserved, settings)
  }
  commitTransaction(connection: SharedConnection) {
    return this.transactions.commitTransaction(connection.reserved as DatabaseConnection)
  }
  rollbackTransaction(connection: SharedConnection) {
    return this.transactions.rollbackTransaction(connection.reserved as DatabaseConnection)
  }
  async destroy() {
    await Promise.all([...this.#reads, ...this.#writes].map((client) => client.end()))
    await this.transactions.destroy()
  }

  async run({ sql, parameters, query }: CompiledQuery): Promise<pg.QueryResult> {
    const isRead = query.kind === 'SelectQueryNode'
    const clients = isRead ? this.#reads : this.#writes
    const free = clients.filter(({ isStuck }) => !isStuck)
    const client = (free.length > 0 ? free : clients).reduce((least, next) =>
      next.running < least.running ? next : least,
    )
    const statement = { text: sql, values: [...parameters] }
    const name = this.#isPreparing ? this.#nameOf(sql) : undefined
    try {
      return await client.query(name === undefined ? statement : { ...statement, name })
    } catch (error) {
      if (isPreparationInvalid(error)) this.#isPreparing = false
      // Not a write on a lost connection, because the server may have run it.
      else if (!isRolledBack(error) && !(isRead && isDisconnected(error))) throw error
      return client.query(statement)
    }
  }

  /** Returns a name that is the same in every process, because they can share a connection of a pooler. */
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
    const numAffectedRows = command === 'SELECT' || rowCount === null ? undefined : BigInt(rowCount)
    return { rows: rows as R[], ...(numAffectedRows !== undefined && { numAffectedRows }) }
  }

  // biome-ignore lint/correctness/useYield: `pg` rejects cursors on a pipelined connection.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('PipelineDialect does not stream: read page by page, each after the last key')
  }
}

/**
 * Returns whether a statement must be sent without its name. A pooler such as PgBouncer in transaction mode has chosen
 * another connection than the one that prepared it (26000, 42P05), or the type of a column has changed. In these cases, the
 * server has not run the statement.
 */
const isPreparationInvalid = (error: unknown): boolean => {
  const { code, routine } = (error ?? {}) as { code?: string; routine?: string }
  return code === '26000' || code === '42P05' || routine === 'RevalidateCachedQuery'
}

/** Returns whether the server has rolled the statement back for the sake of another one: serialization failure, deadlock. */
const isRolledBack = (error: unknown): boolean =>
  /^40(?:001|P01)$/.test(String((error as { code?: unknown } | null)?.code))

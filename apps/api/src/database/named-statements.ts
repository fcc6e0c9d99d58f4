import { createHash } from 'node:crypto'
import pg from 'pg'

/**
 * Maximum number of named statements per connection. PostgreSQL prepares all
 * further statements again for each execution.
 */
const MAX_NAMES = 200

type Callback = (error: Error | null, result?: pg.QueryResult) => void

/**
 * A connection that names each statement with parameters, so that PostgreSQL
 * prepares it once. The name is a hash of the SQL, so it means the same
 * statement to all clients that share a server connection through a pooler.
 *
 * Runs a statement a second time if the error shows that the statement had no
 * effect: its name is invalid, it was rolled back, or the server closed the
 * connection first. Never repeats a statement of a transaction, which the error
 * has ended, or a statement that other queued statements follow.
 */
export class NamedStatementClient extends pg.Client {
  /**
   * Names of statements by SQL. Undefined if the server has rejected the name:
   * the statement then stays unnamed.
   */
  readonly #names = new Map<string, string | undefined>()

  /** A property of `pg.Client` that its types in @types/pg lack. */
  declare readonly _Promise: PromiseConstructor
  /**
   * Number of unfinished queries. This class adds no callback to query objects,
   * such as cursors, so they count until `pg` has ended all queries (`drain`).
   */
  #queued = 0
  /** Whether the server has begun to execute the last statement. */
  #hasBegun = false
  readonly #config: string | pg.ClientConfig | undefined

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.#config = config
    this.connection.on('bindComplete', () => {
      this.#hasBegun = true
    })
    this.on('drain', () => {
      this.#queued = 0
    })
  }

  // biome-ignore lint/suspicious/noExplicitAny: `pg` declares ten overloads.
  override query(query: any, values?: any, callback?: any): any {
    this.#queued += 1
    const [list, done] =
      typeof values === 'function' ? [[], values] : [values ?? [], callback]
    if (typeof query !== 'string') return super.query(query, values, callback)
    if (done) return this.#execute(query, list, done)
    return new this._Promise<unknown>((resolve, reject) =>
      this.#execute(query, list, (error, result) =>
        error ? reject(error) : resolve(result),
      ),
    ).catch((error: Error) => {
      // Replaces the stack, which starts at the socket, by the caller's stack.
      Error.captureStackTrace(error)
      throw error
    })
  }

  #execute(text: string, values: unknown[], done: Callback): void {
    // A statement without parameters, such as BEGIN, has no name.
    const name = values.length > 0 ? this.#nameOf(text) : undefined
    this.#hasBegun = values.length === 0 // without values, no `bindComplete`
    void super.query({ name, text, values }, (error, result) => {
      const isLast = this.#queued === 1
      // When an error arrives, `pg` still has the status from before the
      // statement. 'I' (idle) means that no transaction was open.
      const isAlone = isLast && this.getTransactionStatus() === 'I'
      this.#queued -= 1
      if (isNameInvalid(error)) this.#names.set(text, undefined)
      else if (isLast && isFatal(error))
        return this.#awaitEnd(() =>
          isAlone && !this.#hasBegun && /^57P0[15]$/.test(codeOf(error))
            ? this.#repeat({ text, values }, done)
            : done(error, result),
        )
      else if (isLast && isUseless(error)) void this.end()
      if (isAlone && (isNameInvalid(error) || isConflict(error)))
        void super.query({ text, values }, done)
      else done(error, result)
    })
  }

  /**
   * Closes a connection that the server is closing, and only then calls `done`,
   * so that the pool cannot give the connection to the next request. Ignores
   * the `error` event of the closed connection, which would end the process.
   */
  #awaitEnd(done: () => void): void {
    this.once('error', () => {}).once('end', done)
    this.connection.stream.destroy()
  }

  /**
   * Runs a statement again after the server has closed its connection. Opens a
   * connection outside of the pool, which may have no free connection.
   */
  #repeat(query: pg.QueryConfig, done: Callback): void {
    const client = new pg.Client(this.#config)
    client.on('error', () => {})
    client
      .connect()
      .then(() => client.query(query))
      .then((result) => done(null, result), done)
      .finally(() => client.end())
  }

  #nameOf(text: string): string | undefined {
    if (!this.#names.has(text) && this.#names.size < MAX_NAMES)
      this.#names.set(
        text,
        createHash('sha256').update(text).digest('base64url'),
      )
    return this.#names.get(text)
  }
}

const codeOf = (error: unknown) => String((error as { code?: unknown })?.code)

/**
 * Returns whether the name of a statement is unusable. PgBouncer before 1.21
 * can use a server connection that does not know the name (26000), or knows it
 * from another client (42P05). After a change of the schema, the result types
 * of a prepared statement are wrong.
 */
const isNameInvalid = (error: unknown): boolean =>
  /^(?:26000|42P05)$/.test(codeOf(error)) ||
  (error as { routine?: string })?.routine === 'RevalidateCachedQuery'

/** Returns whether an error is a serialization failure or a deadlock. */
const isConflict = (error: unknown): boolean =>
  /^(?:40001|40P01)$/.test(codeOf(error))

/** Returns whether the server closes the connection after the error. */
const isFatal = (error: unknown): boolean =>
  /^(?:FATAL|PANIC)$/.test(String((error as { severity?: string })?.severity))

/**
 * Returns whether a connection is of no use after an error, because the server
 * - has ended the connection (08, 57P, 25P03, 25P04),
 * - does not respond, or
 * - has become a standby (25006). A new connection may reach the new primary.
 */
const isUseless = (error: unknown): boolean =>
  /^(?:08...|57P..|25P0[34]|25006)$/.test(codeOf(error)) ||
  String(error) === 'Error: Query read timeout'

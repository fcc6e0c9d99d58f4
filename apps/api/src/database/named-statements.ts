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
 * prepares the statement once. The name is a hash of the SQL, so all clients of
 * a pooler use the same name for a statement.
 *
 * Repeats a statement once if the error shows that the statement had no effect:
 * an invalid name, a serialization failure, a deadlock, or a connection that
 * the server closed before the statement began. Never repeats a statement of a
 * transaction, because the error ends the transaction. Repeats no statement if
 * later statements are queued, because these would run first.
 */
export class NamedStatementClient extends pg.Client {
  /** Names by SQL. The name is undefined if the server has rejected it. */
  readonly #names = new Map<string, string | undefined>()

  /** A property of `pg.Client` that @types/pg does not declare. */
  declare readonly _Promise: PromiseConstructor
  /**
   * Number of unfinished queries. This class cannot observe the end of a query
   * object, such as a cursor, and counts it until no query is left (`drain`).
   */
  #queued = 0
  /** Whether the server may have begun to execute the last statement. */
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
    // SQL without parameters can contain several commands, which PostgreSQL
    // cannot prepare.
    const name = values.length > 0 ? this.#nameOf(text) : undefined
    // Counts SQL without parameters as begun, because `pg` emits `bindComplete`
    // only for SQL with parameters.
    this.#hasBegun = values.length === 0
    void super.query({ name, text, values }, (error, result) => {
      const isLast = this.#queued === 1
      // When an error arrives, `pg` still returns the status from before the
      // statement, and I (idle) means that no transaction was open.
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
   * Calls `done` when the connection has closed, so that the pool cannot give
   * the connection to another request. Without a listener, the event `error`
   * would end the process.
   */
  #awaitEnd(done: () => void): void {
    this.once('error', () => {}).once('end', done)
    this.connection.stream.destroy()
  }

  /**
   * Runs a statement outside of the pool, which may have no free connection.
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
 * Returns whether the name of a statement is the cause of an error. PgBouncer
 * before 1.21 can select a connection on which the name does not exist (26000)
 * or already exists (42P05). After a change of the schema, the types of a named
 * statement's result are wrong.
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
 * Returns whether the server has ended the connection (08, 57P, 25P03, 25P04),
 * does not respond, or has become a standby (25006).
 */
const isUseless = (error: unknown): boolean =>
  /^(?:08...|57P..|25P0[34]|25006)$/.test(codeOf(error)) ||
  String(error) === 'Error: Query read timeout'

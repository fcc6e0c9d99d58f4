import { createHash } from 'node:crypto'
import pg from 'pg'

/**
 * Limits PostgreSQL's memory per connection. PostgreSQL prepares further
 * statements, which have no name, again for each execution.
 */
const MAX_NAMES = 200

type Callback = (error: Error | null, result?: pg.QueryResult) => void

/**
 * Names each statement by a hash of its SQL, so that PostgreSQL prepares the
 * statement once per connection. A pooler gives one connection to several
 * clients, so a name must mean the same SQL for all clients.
 *
 * Repeats a failed statement if the error shows that the statement had no
 * effect. Does not repeat inside of a transaction, which the error aborts, or
 * if later statements are queued, which would run first.
 */
export class NamedStatementClient extends pg.Client {
  readonly #names = new Map<string, string | undefined>()

  declare readonly _Promise: PromiseConstructor
  /**
   * Number of unfinished queries. Cursors count until `pg` emits `drain`, the
   * only sign of their end.
   */
  #queued = 0
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
    // `pg` emits no event when SQL without parameters begins. Assumes that the
    // SQL has begun, because running the SQL again could store changes twice.
    this.#hasBegun = values.length === 0
    void super.query({ name, text, values }, (error, result) => {
      const isLast = this.#queued === 1
      // `pg` returns the status from before the failed statement: I (idle)
      // means that no transaction was open.
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
      if (
        isAlone &&
        (isNameInvalid(error) || isSerializationFailureOrDeadlock(error))
      )
        void super.query({ text, values }, done)
      else done(error, result)
    })
  }

  /**
   * Waits until the connection has closed, so that the pool cannot give the
   * connection to another request.
   */
  #awaitEnd(done: () => void): void {
    this.once('error', () => {}).once('end', done)
    this.connection.stream.destroy()
  }

  /**
   * Runs the query again on a new connection, because the pool may have no free
   * connection.
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
 * True if the connection lacks the named statement (26000) or already has the
 * statement (42P05), as with PgBouncer before 1.21. Also true if a change of
 * the schema has changed the types of the result.
 */
const isNameInvalid = (error: unknown): boolean =>
  /^(?:26000|42P05)$/.test(codeOf(error)) ||
  (error as { routine?: string })?.routine === 'RevalidateCachedQuery'

const isSerializationFailureOrDeadlock = (error: unknown): boolean =>
  /^(?:40001|40P01)$/.test(codeOf(error))

const isFatal = (error: unknown): boolean =>
  /^(?:FATAL|PANIC)$/.test(String((error as { severity?: string })?.severity))

/**
 * True if the pool must not reuse the connection: the server has ended the
 * connection (08, 57P, 25P03, 25P04), does not respond, or is now a standby
 * (25006).
 */
const isUseless = (error: unknown): boolean =>
  /^(?:08...|57P..|25P0[34]|25006)$/.test(codeOf(error)) ||
  String(error) === 'Error: Query read timeout'

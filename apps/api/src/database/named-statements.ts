import { createHash } from 'node:crypto'
import pg from 'pg'

/**
 * Maximum number of named statements of a connection. Further statements have
 * no name, and are prepared for each execution.
 */
const MAX_NAMES = 200

/**
 * A connection that names each statement with parameters, so that PostgreSQL
 * prepares it once. The name is a hash of the SQL, so clients that share a
 * server connection through a pooler never execute a wrong statement.
 *
 * Repeats a statement once if the server has not executed it, or has rolled it
 * back. Never repeats one of a transaction, whose earlier statements are lost.
 */
export class NamedStatementClient extends pg.Client {
  /** The name of each SQL text, or undefined after the name has failed. */
  readonly #names = new Map<string, string | undefined>()

  // biome-ignore lint/suspicious/noExplicitAny: `pg` declares ten overloads.
  override query(text: any, values?: any, callback?: any): any {
    return typeof text === 'string' && callback === undefined
      ? this.#execute(text, values)
      : super.query(text, values, callback)
  }

  async #execute(text: string, values: unknown[] = []) {
    const isAlone = this.getTransactionStatus() === 'I'
    // Without parameters, such as BEGIN and COMMIT, a statement has no name.
    const name = values.length > 0 ? this.#nameOf(text) : undefined
    try {
      return await super.query({ name, text, values })
    } catch (error) {
      if (isNameInvalid(error)) this.#names.set(text, undefined)
      // The pool will open a new connection.
      else if (isUseless(error)) void this.end()
      if (!isAlone || !(isNameInvalid(error) || isConflict(error))) throw error
      return super.query({ text, values })
    }
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
 * Returns whether the name of a statement is of no use on this connection. In
 * transaction mode, PgBouncer before 1.21 sends the next statement to another
 * server connection, which does not know the name (26000), or has the name from
 * another client (42P05). After a change of the schema, the result types of a
 * prepared statement are wrong.
 */
const isNameInvalid = (error: unknown): boolean =>
  /^(?:26000|42P05)$/.test(codeOf(error)) ||
  (error as { routine?: string })?.routine === 'RevalidateCachedQuery'

/**
 * Returns whether the server rolled the statement back because of a
 * serialization failure or a deadlock.
 */
const isConflict = (error: unknown): boolean =>
  /^(?:40001|40P01)$/.test(codeOf(error))

/**
 * Returns whether to close the connection, which `pg` would still give to the
 * next request: the server ends it (08, 57P, 25P03, 25P04), has become a
 * standby (25006), so that the host name may now lead to a new primary, or does
 * not respond.
 */
const isUseless = (error: unknown): boolean =>
  /^(?:08...|57P..|25P0[34]|25006)$/.test(codeOf(error)) ||
  String(error) === 'Error: Query read timeout'

import Sqlite from 'better-sqlite3'
import type { CompiledQuery, QueryResult } from 'kysely'
import { constraintOf } from './constraint.ts'

/** Maximum number of statements that stay prepared. */
const CACHE_LIMIT = 500

/** Runs statements on one connection, and prepares each of them once. */
export class Statements {
  readonly db: Sqlite.Database
  readonly #prepared = new Map<string, Sqlite.Statement<unknown[]>>()

  constructor(db: Sqlite.Database) {
    this.db = db
  }

  isReadOnly(sql: string): boolean {
    return this.#prepare(sql).readonly
  }

  run<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    try {
      const statement = this.#prepare(sql)
      if (statement.reader) return { rows: statement.all(parameters) as R[] }
      const { changes, lastInsertRowid } = statement.run(parameters)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    } catch (error) {
      if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT'))
        Object.assign(error, { constraint: constraintOf(this.db, error, sql, parameters) })
      throw error
    }
  }

  #prepare(sql: string): Sqlite.Statement<unknown[]> {
    let statement = this.#prepared.get(sql)
    if (statement === undefined) {
      statement = this.db.prepare<unknown[]>(sql)
      const [oldest] = this.#prepared.size >= CACHE_LIMIT ? this.#prepared.keys() : []
      if (oldest !== undefined) this.#prepared.delete(oldest)
      this.#prepared.set(sql, statement)
    }
    return statement
  }
}

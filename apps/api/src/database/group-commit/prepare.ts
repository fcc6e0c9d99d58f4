import type Sqlite from 'better-sqlite3'
import { type CompiledQuery, SqliteQueryCompiler } from 'kysely'

const PREPARED_LIMIT = 500

export type Prepare = (query: CompiledQuery) => Sqlite.Statement<unknown[]>

export function preparing(db: Sqlite.Database): Prepare {
  const prepared = new Map<string, Sqlite.Statement<unknown[]>>()
  return (query) => {
    let statement = prepared.get(query.sql)
    if (statement) return statement
    if (prepared.size >= PREPARED_LIMIT) prepared.clear()
    statement = db.prepare<unknown[]>(hideValues(query))
    prepared.set(query.sql, statement)
    return statement
  }
}

/**
 * Writes placeholders as `+?`, which hides the value from the query planner.
 * For `?`, SQLite with STAT4 would plan a join again for each value, and take
 * five times as long.
 */
class HidingCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder = () => '+?'
}

function hideValues({ query, queryId, sql }: CompiledQuery): string {
  const hidden = new HidingCompiler().compileQuery(query, queryId).sql
  // A caller can edit the `sql` of a compiled query. Returns the edited `sql`,
  // because compiling `query` again would lose the edit.
  return hidden.replaceAll('+?', '?') === sql ? hidden : sql
}

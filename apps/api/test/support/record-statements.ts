import type { Database, Db } from '../../src/database/database.ts'

/** Returns a database that executes everything on `db`, and the text of every statement that it has executed. */
export function recordStatements(db: Database): { db: Database; statements: ReadonlySet<string> } {
  const statements = new Set<string>()
  const recordOn = (target: Db, limit = Number.POSITIVE_INFINITY): Db => ({
    compiler: target.compiler,
    execute(statement, values) {
      limit -= 1
      if (limit < 0) throw new Error(`this statement depends on another one: ${statement.sql}`)
      statements.add(statement.sql)
      if (db.isRemote && statement.byKey) statements.add(statement.byKey.many().sql)
      return target.execute(statement, values)
    },
  })
  const { read } = db
  return {
    db: {
      ...db,
      ...recordOn(db),
      ...(read && { read: (work) => read((tx) => work(recordOn(tx))) }),
      writeAll: (work) => db.writeAll((tx) => work(recordOn(tx, countAtOnce(tx, work)))),
    },
    statements,
  }
}

/**
 * Counts the statements that `work` sends without the rows of another one. A database server receives no others; SQLite
 * returns rows at once, and would run all.
 */
function countAtOnce({ compiler }: Db, work: (db: Db) => unknown): number {
  let count = 0
  work({
    compiler,
    execute() {
      count += 1
      return new Promise(() => {})
    },
  })
  return count
}

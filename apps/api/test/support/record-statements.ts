import type { Database, Db } from '../../src/database/database.ts'

/** Returns a database that executes everything on `db`, and the text of every statement that it has executed. */
export function recordStatements(db: Database): { db: Database; statements: ReadonlySet<string> } {
  const statements = new Set<string>()
  const recordOn = (target: Db): Db => ({
    compiler: target.compiler,
    execute(statement, values) {
      statements.add(statement.sql)
      if (db.isRemote && statement.byKey) statements.add(statement.byKey.many().sql)
      return target.execute(statement, values)
    },
  })
  return {
    db: {
      ...db,
      ...recordOn(db),
      read: (work) => db.read((tx) => work(recordOn(tx))),
      write: (work) => db.write((tx) => work(recordOn(tx))),
      writeAll: (work) => db.writeAll((tx) => work(recordOn(tx))),
    },
    statements,
  }
}

import type { Database } from './database.ts'
import { ConstraintError, UnavailableError } from './errors.ts'

/** Errors of the database by what they mean: try again later, or look into it. */
export interface DatabaseErrors {
  unavailable: number
  unexpected: number
}

/** The same database, with a count of its errors; a constraint that refuses a statement is an answer and none. */
export function counted(db: Database): { db: Database; errors: DatabaseErrors } {
  const errors = { unavailable: 0, unexpected: 0 }
  const count = (error: unknown): never => {
    if (error instanceof UnavailableError) errors.unavailable += 1
    else if (!(error instanceof ConstraintError)) errors.unexpected += 1
    throw error
  }
  return {
    db: {
      ...db,
      execute: (statement, values) => db.execute(statement, values).catch(count),
      write: (work) => db.write(work).catch(count),
    },
    errors,
  }
}

import { UnavailableError } from '../errors.ts'
import type { Database } from './database.ts'
import { ConstraintError } from './errors.ts'

/** Database errors by what the operator should do: wait, or look into them. */
export interface ErrorCounts {
  unavailable: number
  unexpected: number
}

/** Wraps a database so that its errors are counted. A violated constraint is an expected result, not an error. */
export function withErrorCounter(db: Database): { db: Database; errors: ErrorCounts } {
  const errors = { unavailable: 0, unexpected: 0 }
  const count = (error: unknown): never => {
    if (error instanceof UnavailableError) errors.unavailable += 1
    else if (!(error instanceof ConstraintError)) errors.unexpected += 1
    throw error
  }
  return {
    db: {
      ...db,
      execute(statement, values) {
        try {
          const rows = db.execute(statement, values)
          return rows instanceof Promise ? rows.catch(count) : rows
        } catch (error) {
          return count(error)
        }
      },
      write: (work) => db.write(work).catch(count),
      writeAll: (work) => db.writeAll(work).catch(count),
      read: (work) => db.read(work).catch(count),
    },
    errors,
  }
}

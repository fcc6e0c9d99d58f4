import type { Database } from '../database/database.ts'
import { ConstraintError } from '../database/errors.ts'
import { UnavailableError } from '../errors.ts'

/**
 * Wraps a database and counts its errors by what the operator should do: wait (unavailable), or investigate
 * (unexpected). A violated constraint is an expected result, not an error.
 */
export function withErrorCounter(opened: Database) {
  const errors = { unavailable: 0, unexpected: 0 }
  const count = (error: unknown): never => {
    if (error instanceof UnavailableError) errors.unavailable += 1
    else if (!(error instanceof ConstraintError)) errors.unexpected += 1
    throw error
  }
  const db: Database = {
    ...opened,
    execute(statement, values) {
      try {
        const rows = opened.execute(statement, values)
        return rows instanceof Promise ? rows.catch(count) : rows
      } catch (error) {
        return count(error)
      }
    },
    writeAll: (work) => opened.writeAll(work).catch(count),
    ...(opened.read && { read: (work) => (opened.read as NonNullable<Database['read']>)(work).catch(count) }),
    assertDurable() {
      try {
        opened.assertDurable()
      } catch (error) {
        count(error)
      }
    },
  }
  return { db, errors }
}

import { setTimeout as pause } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import type { CompiledQuery, QueryResult } from 'kysely'
import { nameConstraint } from './constraints.ts'

export const TIMEOUT_MS = 5000

export function run<R>(
  statement: Sqlite.Statement<unknown[]>,
  query: CompiledQuery,
): QueryResult<R> {
  const { parameters } = query
  try {
    if (statement.reader) return { rows: statement.all(parameters) as R[] }
    const { changes, lastInsertRowid } = statement.run(parameters)
    return {
      rows: [],
      numAffectedRows: BigInt(changes),
      insertId: BigInt(lastInsertRowid),
    }
  } catch (thrown) {
    const error = thrown as Error
    const constraint = nameConstraint(statement.database, query, error.message)
    throw Object.assign(error, constraint && { constraint })
  }
}

export async function waitForLock<T>(
  work: () => T,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  for (
    const deadline = performance.now() + timeoutMs;
    ;
    await pause(1 + Math.random() * 10)
  )
    try {
      return work()
    } catch (error) {
      const { code } = error as { code?: string }
      if (!code?.startsWith('SQLITE_BUSY') || performance.now() > deadline)
        throw error
    }
}

export function addCaller(error: unknown): void {
  const { stack = '' } = new Error()
  if (error instanceof Error)
    error.stack += stack.slice(stack.indexOf('\n', stack.indexOf('\n') + 1))
}

export function commandOf(sql: string): string | undefined {
  const [, command] =
    /^[\s;]*(begin|commit|end|rollback(?!.*\bto\b))\b/is.exec(
      sql.replace(/--[^\n]*|\/\*.*?\*\//gs, ' '),
    ) ?? []
  return command?.toLowerCase()
}

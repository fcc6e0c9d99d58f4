import { MigrationError } from '../error.ts'
import type { Session } from './connect.ts'

/** How long readers and writers may queue behind the lock of a step. Then the step gives way and tries again. */
export const LOCK_TIMEOUT = '100ms'
const MAX_ATTEMPTS = 200

/** SQLSTATE lock_not_available, deadlock_detected */
const RETRYABLE = ['55P03', '40P01']

/**
 * The statements that lock tables against all use. The first lock stops autovacuum, which an ACCESS EXCLUSIVE lock with a
 * short timeout would not, and blocks no reader or writer.
 */
export const lockTables = (tables: readonly string[]): string[] => [
  `set local lock_timeout = '10s'`,
  `lock table ${tables.join(', ')} in share update exclusive mode`,
  `set local lock_timeout = '${LOCK_TIMEOUT}'`,
  `lock table ${tables.join(', ')} in access exclusive mode`,
]

/** Runs `work` in a transaction, again as long as a lock is not available. */
export async function inTransaction<T>(session: Session, what: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      await session.query('begin')
      const result = await work()
      await session.query('commit')
      return result
    } catch (error) {
      // Fails without a connection, which the first error reports.
      await session.query('rollback').catch(() => {})
      if (!RETRYABLE.includes((error as { code?: string }).code ?? '')) throw error
      if (attempt === MAX_ATTEMPTS)
        throw new MigrationError(`${what} remained locked by other transactions (see pg_stat_activity)`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 200))
  }
}

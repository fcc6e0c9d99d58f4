import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { UnavailableError } from '../../errors.ts'
import type { Statement } from '../database.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { nameOf } from '../query.ts'
import { isDuplicate, isPreparationInvalid, isRetryable, isRolledBack, toDatabaseError } from './errors.ts'
import { type Call, exchange } from './exchange.ts'

/** Maximum attempts for a transaction that the server rolls back because of a conflict with a concurrent one. */
const MAX_ATTEMPTS = 5

/**
 * Maximum time that a write waits for a lock, in milliseconds. It is less than the 5 s that a request waits for a
 * connection: otherwise writes to one locked row would keep all connections from other requests and from /readyz. Set
 * by a statement, because PgBouncer rejects start parameters that it does not know.
 */
const LOCK_TIMEOUT_MS = 2000

const statement = (sql: string, name = nameOf(sql)): Statement => ({ sql, name })
// Calls a function, because SET takes no parameters, and warns outside of BEGIN and COMMIT.
const SET_LOCK_TIMEOUT = statement("select set_config('lock_timeout', $1, true)")
const setLockTimeout = (ms: number): Call => ({ statement: SET_LOCK_TIMEOUT, values: [ms] })

/** Returns functions that run statements on a pool. */
export function statementsOn(pool: pg.Pool) {
  /**
   * Whether statements are prepared under their names. A pooler that changes the server connection between transactions,
   * such as PgBouncer in transaction mode, loses prepared statements. A changed column type makes them invalid. In both
   * cases, the server reports an error and does not run the statement. From then on the pool sends unnamed statements,
   * which the server plans at every call.
   */
  let isPreparing = true

  /** Sends statements in one packet. */
  async function send(client: pg.PoolClient, calls: readonly Call[]): Promise<unknown[][]> {
    try {
      return await exchange(client, isPreparing ? calls : calls.map(withoutName))
    } catch (error) {
      if (isPreparationInvalid(error)) isPreparing = false
      throw toDatabaseError(error)
    }
  }

  const connect = () =>
    pool.connect().catch((error) => {
      throw toDatabaseError(error)
    })

  /** Sends statements on a connection of the pool. Afterwards, the connection is not in a transaction. */
  async function sendOnce(calls: readonly Call[]): Promise<unknown[][]> {
    const client = await connect()
    let isBroken = false
    try {
      return await send(client, calls)
    } catch (error) {
      isBroken = error instanceof UnavailableError && !isRolledBack(error.cause)
      throw error
    } finally {
      client.release(isBroken)
    }
  }

  return {
    async execute(statement: Statement, values: readonly unknown[]): Promise<unknown[]> {
      const [rows = []] = await withRetry(() => sendOnce([{ statement, values }]))
      return rows
    },
    /** Runs statements in one packet and one transaction, without a retry. */
    async runOnce(calls: readonly Call[], lockTimeoutMs = LOCK_TIMEOUT_MS): Promise<unknown[][]> {
      const [, ...rows] = await sendOnce([setLockTimeout(lockTimeoutMs), ...calls])
      return rows
    },
  }
}

const withoutName = ({ statement, values }: Call) => ({ statement: { ...statement, name: '' }, values })

/** Runs a transaction or a single statement. Retries after a growing random pause if the server rolled it back. */
export async function withRetry<T>(attempt: () => MaybePromise<T>): Promise<T> {
  for (let n = 1; ; n += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!isRetryable(error)) throw error
      if (n === MAX_ATTEMPTS && isDuplicate(error)) throw error
      if (n === MAX_ATTEMPTS) throw new UnavailableError('too many concurrent transactions', { cause: error })
      await pause(Math.random() * 10 * 2 ** n)
    }
  }
}

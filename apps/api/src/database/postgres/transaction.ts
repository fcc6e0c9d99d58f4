import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { RollbackResult, UnavailableError } from '../../errors.ts'
import type { Db, Statement } from '../database.ts'
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

const BEGIN_WRITE: readonly Call[] = [
  { statement: statement('begin', ''), values: [] },
  { statement: statement(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`, ''), values: [] },
]
const BEGIN_READ: readonly Call[] = [
  { statement: statement('begin isolation level repeatable read read only'), values: [] },
]

/** Returns functions that run statements on a pool. All but `runOnce` retry after a conflict with a transaction. */
export function statementsOn(pool: pg.Pool, compiler: Kysely<unknown>) {
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

  /**
   * Runs `work` in a transaction, which `begin` starts in the packet of the first statement. Only a write waits for the
   * end of the transaction.
   */
  async function transaction<T>(
    begin: readonly Call[],
    work: (db: Db) => MaybePromise<T>,
    isWrite: boolean,
  ): Promise<T> {
    const client = await connect()
    let isBroken = false
    let ending: Promise<unknown> | undefined
    let last: Promise<unknown> | undefined
    const execute = (statement: Statement, values: readonly unknown[]): Promise<unknown[]> => {
      const call = { statement, values }
      const rows = last
        ? last.catch(() => {}).then(() => send(client, [call]))
        : send(client, [...begin, call])
      last = rows
      return rows.then((rows) => rows.at(-1) ?? [])
    }
    try {
      const result = await work({ compiler, execute })
      if (last) ending = client.query(result instanceof RollbackResult ? 'rollback' : 'commit')
      if (isWrite) await ending
      return result
    } catch (cause) {
      const error = toDatabaseError(cause)
      // When the connection breaks during COMMIT, only the server knows whether it committed. The service must not
      // repeat the write, and the client has to read. The pool discards the connection: an unresponsive one would block
      // the next request, too, and one to a demoted primary would receive the next write.
      isBroken = error instanceof UnavailableError
      if (!isBroken && last) ending = client.query('rollback')
      throw error
    } finally {
      if (isBroken || ending === undefined) client.release(isBroken)
      else
        void ending.then(
          () => client.release(),
          () => client.release(true),
        )
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
    write: <T>(work: (db: Db) => MaybePromise<T>) => withRetry(() => transaction(BEGIN_WRITE, work, true)),
    read: <T>(work: (db: Db) => MaybePromise<T>) => withRetry(() => transaction(BEGIN_READ, work, false)),
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

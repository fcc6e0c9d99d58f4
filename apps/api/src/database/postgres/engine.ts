import { Kysely, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import pg from 'pg'
import { OperatorError } from '../../errors.ts'
import { createCompiler } from '../compiler.ts'
import type { Database } from '../database.ts'
import type { ConnectionOptions, Engine } from '../engine.ts'
import { inTransaction, RowLockAdapter, RowLockDialect, withoutTimeouts } from './exclusive.ts'
import { mergeReads } from './merged-reads.ts'
import {
  APPLICATION,
  assertNoOtherVersion,
  assertPrivileges,
  assertSchema,
  assertUtf8,
} from './requirements.ts'
import { explainStartError } from './start-errors.ts'
import { withLibpqTls } from './tls.ts'
import { statementsOn, withRetry } from './transaction.ts'
import { GROUP_LIMIT, groupWrites } from './write-groups.ts'

/** Whether spans are sent. Then requests share no statements, so that each statement has a span in the trace of its request. */
let isTraced = false

export const postgres: Engine = {
  urlForms: 'postgres://user:password@host:port/name',
  parseUrl: (url) => (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url) ? url : undefined),
  open,
  // Imports the module only when spans are sent, because it loads a large package.
  async loadInstrumentation() {
    isTraced = true
    return (await import('./instrumentation.ts')).instrumentation
  },
  async backup() {
    throw new OperatorError(
      'DATABASE_URL is a PostgreSQL server: back it up with pg_dump --format=custom --file=FILE URL',
    )
  },
}

/**
 * Opens a pool of connections, and checks the database. Options in the URL (`sslmode`, …) apply.
 *
 * @throws Error when the server is unreachable or the database is not encoded in UTF-8.
 */
async function open(
  url: string,
  { poolSize, connectTimeoutMs, statementTimeoutMs, lastMigration = '' }: ConnectionOptions,
): Promise<Database> {
  const name = `${APPLICATION} ${lastMigration}`.trim()
  const connection = {
    connectionString: withLibpqTls(url),
    application_name: name,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
  }
  const pool = new pg.Pool({
    ...connection,
    statement_timeout: statementTimeoutMs,
    // The client gives up one second after the server's own timeout, which an unreachable server cannot report.
    query_timeout: statementTimeoutMs + 1000,
  })
  // A pool for migrations, whose statements may take hours. TCP keep-alive detects a server that is gone.
  const patientPool = new pg.Pool({ ...connection, idleTimeoutMillis: 1000, keepAlive: true })
  // A broken connection fails its query, or leaves the pool when idle. Without listeners, it would end the process.
  for (const each of [pool, patientPool])
    each.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  try {
    await assertUtf8(pool)
  } catch (error) {
    await pool.end()
    throw explainStartError(error, url)
  }
  const kysely = new Kysely({ dialect: new RowLockDialect({ pool }) })
  const { execute, runOnce } = statementsOn(pool)
  const writeAll = groupWrites(compiler, isTraced ? 1 : GROUP_LIMIT, runOnce, (calls) =>
    withRetry(() => runOnce(calls)),
  )

  return {
    isRemote: true,
    compiler,
    execute: isTraced ? execute : mergeReads(execute),
    writeAll: writeAll as Database['writeAll'],
    exclusively: (work) =>
      withRetry(() =>
        inTransaction(patientPool, async (transaction) => {
          await withoutTimeouts(transaction)
          return work(transaction)
        }),
      ),
    readSnapshot: (work) =>
      kysely
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (transaction) => {
          await withoutTimeouts(transaction, ['transaction_timeout']) // lets a dump run many statements
          await sql`set local row_security = off`.execute(transaction) // hidden rows then raise an error
          return work(transaction)
        }),
    assertNoOtherVersion: (db, next) => assertNoOtherVersion(db, name, next),
    async assertPrivileges(tables, migrating) {
      await assertSchema(pool, migrating)
      await assertPrivileges(pool, tables)
    },
    assertDurable() {}, // never lost: the server has the files open, not this process
    stats() {
      const { totalCount, idleCount, waitingCount } = pool
      return { pool: { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount } }
    },
    async close() {
      // Ends the pool directly, because a Kysely instance that has run no query would not end it.
      await Promise.all([pool.end(), patientPool.end()])
    },
  }
}

const compiler = createCompiler({
  createAdapter: () => new RowLockAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
})

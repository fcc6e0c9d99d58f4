import type Sqlite from 'better-sqlite3'
import type { Database } from '../database.ts'
import { compiler, executorFor, kyselyOn, whenUnlocked } from './connection.ts'
import { groupCommit } from './group-commit.ts'

/** Functions that the writer calls in each of its transactions. */
interface WriterHooks {
  /** Called in each new transaction, which is rolled back when it throws. */
  readonly onBegin?: () => void
  /** Called before each commit. */
  readonly onCommit?: () => void
}

export interface Writer extends Pick<Database, 'write' | 'writeAll' | 'exclusively'> {
  /** Resolves when no write is running. */
  idle(): Promise<void>
  stats(): { readonly groups: number; readonly writes: number }
}

/** Runs the read-write transactions of a connection. */
export function createWriter(
  connection: Sqlite.Database,
  { onBegin = () => {}, onCommit = () => {} }: WriterHooks = {},
): Writer {
  const execute = executorFor(connection)
  const kysely = kyselyOn(connection)
  const run = (sql: string) => void execute({ sql, name: '' }, [])
  const inTransaction = () => connection.inTransaction
  const begin = async () => {
    await whenUnlocked(() => run('begin immediate'))
    try {
      onBegin()
    } catch (error) {
      run('rollback')
      throw error
    }
  }
  const commit = () => {
    onCommit()
    run('commit')
  }
  const { write, idle, stats } = groupCommit({
    db: { compiler, execute },
    run,
    begin,
    commit,
    inTransaction,
  })
  return {
    write: (work) => write(work),
    writeAll: ((work) =>
      write((tx) => {
        const results = work(tx)
        return results.some((result) => result instanceof Promise) ? Promise.all(results) : results
      }, true)) as Database['writeAll'],
    idle,
    stats,
    async exclusively(work) {
      await begin()
      try {
        const result = await work(kysely)
        commit()
        return result
      } catch (error) {
        if (inTransaction()) run('rollback')
        throw error
      }
    },
  }
}

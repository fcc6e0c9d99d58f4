import Sqlite from 'better-sqlite3'
import { CompiledQuery, Kysely } from 'kysely'
import { fileOf, freshDatabase } from 'testkit/engines.ts'
import { GroupCommitDialect } from '../../src/database/group-commit/dialect.ts'
import type { GroupCommitConfig } from '../../src/database/group-commit/driver.ts'

export interface Tables {
  t: { n: number }
}

export const SHORT_MS = 200
const NEVER_MS = 600_000

let file: string
export let statements: unknown[]
export let writer: Sqlite.Database
export let reader: Sqlite.Database
export let db: Kysely<Tables>
// biome-ignore lint/suspicious/noExplicitAny: other tables.
export let tables: Kysely<any>
export let other: Sqlite.Database

const connect = (verbose?: (sql: unknown) => void) => {
  const connection = new Sqlite(file, { verbose })
  connection.pragma('journal_mode = WAL')
  return connection
}
export const on = (config: GroupCommitConfig) =>
  new Kysely<Tables>({ dialect: new GroupCommitDialect(config) })

export function reopen(config: Partial<GroupCommitConfig>): void {
  db = on({ writer, reader, ...config })
  tables = db
}

export async function openGroupCommit() {
  const { url, drop } = await freshDatabase('sqlite-file')
  file = fileOf(url)
  other = connect()
  other.exec('create table t (n integer primary key)')
  statements = []
  writer = connect((sql) => statements.push(sql))
  reader = connect()
  reopen({ timeoutMs: NEVER_MS })
  return async () => {
    await db.destroy()
    other.close()
    await drop()
  }
}

export const insert = (n: number, trx = db) =>
  trx.insertInto('t').values({ n }).execute()
export const insertInside = (n: number, on = db) =>
  on.transaction().execute((trx) => insert(n, trx))
export const select = (on = db) => on.selectFrom('t').selectAll().execute()
export const run = (sql: string, on = db) =>
  on.executeQuery(CompiledQuery.raw(sql))
export const storedNumbers = () =>
  other.prepare('select n from t order by n').pluck().all()

export const outcomes = (...writes: Promise<unknown>[]) =>
  Promise.all(
    writes.map((write) =>
      write.then(
        () => 'stored',
        ({ code, message }) => code ?? message,
      ),
    ),
  )

export async function runMicrotasks(): Promise<void> {
  for (let n = 0; n < 100; n += 1) await Promise.resolve()
}

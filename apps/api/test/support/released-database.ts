import { readFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { emptyDatabaseForTest, fileOf } from 'testkit/engines.ts'

const engineOf = { sqlite: 'sqlite-file', postgres: 'postgres' } as const

/**
 * Creates a database as the migration 0001-initial leaves it, with rows.
 * Returns its URL.
 */
export async function releasedDatabase(
  engine: keyof typeof engineOf,
): Promise<string> {
  const url = await emptyDatabaseForTest(engineOf[engine])
  await execute(
    url,
    readFileSync(
      new URL(`../schemas/0001-initial.${engine}.sql`, import.meta.url),
      'utf8',
    ),
  )
  return url
}

/**
 * Executes SQL without the service. On SQLite, a transaction flushes the disk
 * only once.
 */
export const execute = (url: string, sql: string): Promise<unknown> =>
  url.startsWith('sqlite:')
    ? withFile(url, (file) => file.exec(`begin; ${sql}; commit`))
    : withClient(url, (client) => client.query(sql))

export type Rows = Record<string, Record<string, unknown>[]>

export async function rowsOf(url: string): Promise<Rows> {
  if (url.startsWith('sqlite:'))
    return withFile(url, (file) => {
      const names = file
        .prepare("select name from sqlite_master where type = 'table'")
        .pluck()
        .all()
      const rowsIn = (name: unknown) =>
        file.prepare(`select * from ${name} order by 1, 2`).all()
      return Object.fromEntries(names.map((name) => [name, rowsIn(name)]))
    })
  return withClient(url, async (client) => {
    const rows: Rows = {}
    const tables = await client.query(
      "select tablename as name from pg_tables where schemaname = 'public'",
    )
    for (const { name } of tables.rows)
      rows[name] = (
        await client.query(`select * from ${name} order by 1, 2`)
      ).rows
    return rows
  })
}

async function withFile<T>(
  url: string,
  work: (file: Sqlite.Database) => T,
): Promise<T> {
  const connection = new Sqlite(fileOf(url))
  try {
    return work(connection)
  } finally {
    connection.close()
  }
}

async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  return work(client).finally(() => client.end())
}

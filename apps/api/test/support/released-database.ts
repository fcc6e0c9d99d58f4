import { readFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import {
  connectForTest,
  emptyDatabaseForTest,
  fileOf,
} from 'testkit/engines.ts'
import { onTestFinished } from 'vitest'

const SQL = readFileSync(new URL('0001-initial.sql', import.meta.url), 'utf8')
const hex = (count: number) => '[0-9a-f]'.repeat(count)
const UUID = [8, 4, 4, 4, 12]

/** What stands for the words in braces of the SQL. */
const WORDS = {
  sqlite: {
    text: 'text',
    isId: (_: string, prefix: string) =>
      `"id" glob '${prefix}-${UUID.map(hex).join('-')}' and length(cast("id" as blob)) = 41`,
    options: 'strict, without rowid',
  },
  postgres: {
    text: 'text collate "C"',
    isId: (_: string, prefix: string) =>
      `"id" ~ '^${prefix}-${UUID.map((count) => `[0-9a-f]{${count}}`).join('-')}$'`,
    options: '',
  },
}

/**
 * Creates a database as the migration 0001-initial leaves it, with rows.
 * Returns its URL.
 */
export async function releasedDatabase(
  engine: keyof typeof WORDS,
): Promise<string> {
  const url = await emptyDatabaseForTest(
    engine === 'sqlite' ? 'sqlite-file' : engine,
  )
  const { text, isId, options } = WORDS[engine]
  const sql = SQL.replaceAll('{text}', text)
    .replaceAll('{options}', options)
    .replace(/\{is (\w+) id\}/g, isId)
  await execute(url, sql)
  return url
}

/**
 * Executes SQL without the service. On SQLite, a transaction flushes the disk
 * only once.
 */
export async function execute(url: string, sql: string): Promise<void> {
  if (url.startsWith('sqlite:')) openFile(url).exec(`begin; ${sql}; commit`)
  else await (await connectForTest(url)).query(sql)
}

export type Rows = Record<string, Record<string, unknown>[]>

export async function rowsOf(url: string): Promise<Rows> {
  const rows: Rows = {}
  const rowsIn = (name: unknown) => `select * from ${name} order by 1, 2`
  if (url.startsWith('sqlite:')) {
    const file = openFile(url)
    const names = file
      .prepare("select name from sqlite_master where type = 'table'")
      .pluck()
      .all() as string[]
    for (const name of names)
      rows[name] = file.prepare(rowsIn(name)).all() as Rows[string]
    return rows
  }
  const client = await connectForTest(url)
  const tables = await client.query(
    "select tablename as name from pg_tables where schemaname = 'public'",
  )
  for (const { name } of tables.rows)
    rows[name] = (await client.query(rowsIn(name))).rows
  return rows
}

function openFile(url: string): Sqlite.Database {
  const file = new Sqlite(fileOf(url))
  onTestFinished(() => void file.close())
  return file
}

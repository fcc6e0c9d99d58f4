import Sqlite from 'better-sqlite3'
import {
  connectForTest,
  emptyDatabaseForTest,
  fileOf,
} from 'testkit/engines.ts'
import { onTestFinished } from 'vitest'
import { PROFILES } from '../../src/app.ts'
import { openDatabase } from '../../src/database/open.ts'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'
import { databaseAt } from './listen.ts'

export async function releasedDatabase(
  engine: 'sqlite' | 'postgres',
): Promise<string> {
  const url = await emptyDatabaseForTest(
    engine === 'sqlite' ? 'sqlite-file' : engine,
  )
  const { '0001-initial': initial } = PROFILES.a.migrations
  const migrations = { '0001-initial': initial }
  await (await openDatabase(databaseAt(url), migrations)).close()
  await execute(url, ROWS)
  return url
}

const ROWS = `
insert into teams (id, name) values ('${TeamId.example}', 'Engineering');
insert into roles (id, name, description) values ('${RoleId.example}', 'admin', null);
insert into users (id, email, name, password_hash, team_id) values
  ('${UserId.example}', 'Ada@Example.com', 'Ada', 'x', '${TeamId.example}'),
  ('user-0190163d-8694-739b-aea5-966c26f8ad92', 'zoë@example.com', 'O''Hara 李 👩‍👩‍👧', 'x', null);
insert into user_roles (user_id, role_id) values ('${UserId.example}', '${RoleId.example}')`

/** On SQLite, uses one transaction, because each commit flushes the disk. */
export async function execute(url: string, sql: string): Promise<void> {
  if (url.startsWith('sqlite:')) openFile(url).exec(`begin; ${sql}; commit`)
  else await (await connectForTest(url)).query(sql)
}

type Row = Readonly<Record<string, unknown>>

export async function connect(url: string) {
  if (!url.startsWith('sqlite:')) {
    const client = await connectForTest(url)
    return async (sql: string, ...values: string[]): Promise<Row[]> =>
      (await client.query(sql.replace('?', '$1'), values)).rows
  }
  const file = openFile(url)
  return async (sql: string, ...values: string[]): Promise<Row[]> => {
    const statement = file.prepare<string[], Row>(sql)
    if (statement.reader) return statement.all(...values)
    statement.run(...values)
    return []
  }
}

export async function rowsOf(url: string) {
  const run = await connect(url)
  const tables = await run(
    url.startsWith('sqlite:')
      ? "select name from sqlite_master where type = 'table'"
      : "select tablename as name from pg_tables where schemaname = 'public'",
  )
  const rows: Record<string, Row[]> = {}
  for (const { name } of tables)
    rows[`${name}`] = await run(`select * from ${name} order by 1, 2`)
  return rows
}

function openFile(url: string): Sqlite.Database {
  const file = new Sqlite(fileOf(url))
  onTestFinished(() => void file.close())
  return file
}

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

/** Creates a database with rows, in the state after migration 0001-initial. */
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

/**
 * Executes SQL without the service. On SQLite, uses one transaction, because
 * each commit flushes the disk.
 */
export async function execute(url: string, sql: string): Promise<void> {
  if (url.startsWith('sqlite:')) openFile(url).exec(`begin; ${sql}; commit`)
  else await (await connectForTest(url)).query(sql)
}

export async function rowsOf(url: string) {
  const rows: Record<string, Record<string, unknown>[]> = {}
  const rowsIn = (name: unknown) => `select * from ${name} order by 1, 2`
  if (url.startsWith('sqlite:')) {
    const file = openFile(url)
    const names = file
      .prepare("select name from sqlite_master where type = 'table'")
      .pluck()
      .all() as string[]
    for (const name of names)
      rows[name] = file.prepare(rowsIn(name)).all() as (typeof rows)[string]
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

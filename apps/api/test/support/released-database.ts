import Sqlite from 'better-sqlite3'
import {
  connectForTest,
  emptyDatabaseForTest,
  fileOf,
} from 'testkit/engines.ts'
import { onTestFinished } from 'vitest'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'

const hex = (count: number) => '[0-9a-f]'.repeat(count)
const UUID = [8, 4, 4, 4, 12]

const ENGINES = {
  sqlite: {
    text: 'text',
    isId: (prefix: string) =>
      `"id" glob '${prefix}-${UUID.map(hex).join('-')}' and length(cast("id" as blob)) = 41`,
    options: 'strict, without rowid',
  },
  postgres: {
    text: 'text collate "C"',
    isId: (prefix: string) =>
      `"id" ~ '^${prefix}-${UUID.map((count) => `[0-9a-f]{${count}}`).join('-')}$'`,
    options: '',
  },
}

/** Creates a database with rows, in the state after migration 0001-initial. */
export async function releasedDatabase(
  engine: keyof typeof ENGINES,
): Promise<string> {
  const url = await emptyDatabaseForTest(
    engine === 'sqlite' ? 'sqlite-file' : engine,
  )
  await execute(url, initialSql(ENGINES[engine]))
  return url
}

const initialSql = ({ text, isId, options }: (typeof ENGINES)['sqlite']) => `
create table "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
create table "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
insert into kysely_migration values ('0001-initial', '2026-01-01T00:00:00.000Z');
insert into kysely_migration_lock values ('migration_lock', 0);
create table "teams" ("id" ${text} not null primary key check (${isId('team')}), "name" ${text} not null check (length("name") <= 100)) ${options};
create table "roles" ("id" ${text} not null primary key check (${isId('role')}), "name" ${text} not null unique check (length("name") <= 50), "description" ${text} check (length("description") <= 200)) ${options};
create table "users" ("id" ${text} not null primary key check (${isId('user')}), "email" ${text} not null check (length("email") <= 255), "name" ${text} not null check (length("name") <= 100), "password_hash" ${text} not null check (length("password_hash") <= 255), "team_id" ${text} references "teams" ("id")) ${options};
create unique index "users_email_key" on "users" (lower(email));
create index "users_team_id_id" on "users" ("team_id", "id");
create table "user_roles" ("user_id" ${text} not null references "users" ("id") on delete cascade, "role_id" ${text} not null references "roles" ("id"), constraint "user_roles_pkey" primary key ("user_id", "role_id")) ${options};
insert into teams (id, name) values ('${TeamId.example}', 'Engineering');
insert into roles (id, name, description) values ('${RoleId.example}', 'admin', null);
insert into users (id, email, name, password_hash, team_id) values
  ('${UserId.example}', 'Ada@Example.com', 'Ada', 'x', '${TeamId.example}'),
  ('user-0190163d-8694-739b-aea5-966c26f8ad92', 'zoë@example.com', 'O''Hara 李 👩‍👩‍👧', 'x', null);
insert into user_roles (user_id, role_id) values ('${UserId.example}', '${RoleId.example}');`

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

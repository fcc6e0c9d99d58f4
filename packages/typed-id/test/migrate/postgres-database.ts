import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { type Server, startPostgres } from '../sql/start-postgres.ts'

/** Five tables with a cycle, a self reference, a composite key, and everything that has to be moved with a column. */
const SCHEMA = `
create table teams (id uuid primary key default gen_random_uuid(), name text not null unique, owner_id uuid);
create table users (id uuid primary key default gen_random_uuid(), email text not null unique,
  team_id uuid not null references teams on delete cascade,
  manager_id uuid references users on delete set null,
  updated_at timestamptz not null default now(), check (manager_id <> id));
alter table teams add foreign key (owner_id) references users on delete set null deferrable initially deferred;
create table memberships (team_id uuid references teams on delete cascade,
  user_id uuid references users on delete cascade, role text not null, primary key (team_id, user_id));
create table invitations (id int generated always as identity primary key, team_id uuid not null, invited_by uuid not null,
  foreign key (team_id, invited_by) references memberships (team_id, user_id) on delete cascade);
create table "Events" (id bigserial primary key, "user" uuid not null references users on delete cascade, note text);
create index on "Events" ("user", id desc) include (note);
create index on users (team_id) where email like '%a%';
create unique index on users (team_id, email) nulls not distinct;
comment on column users.id is 'The user''s key';
create function touch() returns trigger language plpgsql as $$ begin new.updated_at := now(); return new; end $$;
create trigger touch before update on users for each row execute function touch();
insert into teams (name) select 'team ' || i from generate_series(1, 5) i;
insert into users (email, team_id)
  select 'user' || i, (select id from teams where name = 'team ' || (i % 5 + 1)) from generate_series(1, 300) i;
update users u set manager_id = (select id from users m where m.team_id = u.team_id and m.id <> u.id order by id limit 1);
update teams t set owner_id = (select id from users where team_id = t.id order by id limit 1);
insert into memberships select team_id, id, 'member' from users;
insert into invitations (team_id, invited_by) select team_id, user_id from memberships;
insert into "Events" ("user", note) select id, 'x' from users, generate_series(1, 3);`

export const TABLES = ['teams', 'users', 'memberships', 'invitations', '"Events"']

/** Starts a server for the tests of a file. Returns a function that creates a database, with the tables by default. */
export function usePostgres(): (sql?: string) => Promise<{ url: string; db: pg.Client }> {
  let server: Server
  let admin: pg.Client
  const clients: pg.Client[] = []
  const connect = async (database: string) => {
    const client = new pg.Client({ ...server.connection, database })
    client.on('error', () => {})
    await client.connect()
    clients.push(client)
    return client
  }
  beforeAll(async () => {
    server = await startPostgres()
    admin = await connect('postgres')
    await admin.query('create database prepared')
    const template = await connect('prepared')
    await template.query(SCHEMA)
    await template.end()
  })
  afterAll(async () => {
    for (const client of clients) await client.end()
    await server.stop()
  })
  return async (sql) => {
    const name = `test_${randomUUID().slice(0, 8)}`
    await admin.query(`create database ${name} template ${sql === undefined ? 'prepared' : 'template1'}`)
    const db = await connect(name)
    if (sql !== undefined) await db.query(sql)
    return { url: `postgres://postgres@localhost/${name}?host=${server.connection.host}`, db }
  }
}

/** The definitions in the schema public. Columns are sorted by name: the strategy online changes their order. */
export async function readSchema(db: pg.Client): Promise<string[]> {
  const { rows } = await db.query(`
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated, conindid::regclass) as line
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select concat_ws(' ', i.indrelid::regclass, pg_get_indexdef(i.indexrelid), i.indisvalid)
      from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = 'public'::regnamespace
    union all select concat_ws(' ', a.attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull,
        pg_get_expr(adbin, adrelid), col_description(a.attrelid, attnum))
      from pg_attribute a join pg_class c on c.oid = a.attrelid and relkind = 'r'
      left join pg_attrdef on adrelid = a.attrelid and adnum = attnum
      where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
    union all select concat_ws(' ', tgrelid::regclass, tgname) from pg_trigger where not tgisinternal
    union all select proname from pg_proc where pronamespace = 'public'::regnamespace
    order by 1`)
  return rows.map(({ line }) => line)
}

/** All rows of all tables, by name of the column. */
export async function readRows(db: pg.Client): Promise<Record<string, unknown>[][]> {
  const tables = []
  for (const table of TABLES) tables.push((await db.query(`select * from ${table} t order by 1, 2`)).rows)
  return tables.map((rows) =>
    rows
      .map((row) => Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  )
}

import type pg from 'pg'

/** Five tables with bare uuids: a cycle between teams and users, a self reference, and composite keys. */
const TABLES = `
create table teams (id uuid primary key default gen_random_uuid(), name text not null unique, owner_id uuid);
create table users (id uuid primary key default gen_random_uuid(), email text not null unique,
  team_id uuid not null references teams on delete cascade,
  manager_id uuid references users on delete set null, check (manager_id <> id));
alter table teams add foreign key (owner_id) references users on delete set null deferrable initially deferred;
create table memberships (team_id uuid references teams on delete cascade,
  user_id uuid references users on delete cascade, role text not null, primary key (team_id, user_id));
create table invitations (id bigint generated always as identity primary key,
  team_id uuid not null, invited_by uuid not null, email text not null,
  foreign key (team_id, invited_by) references memberships (team_id, user_id) on delete cascade);
create table events (id bigint generated always as identity primary key,
  user_id uuid not null references users on delete cascade, note text not null);
create index on users (team_id);
create index on users (manager_id);
create index on memberships (user_id);
create index on invitations (team_id, invited_by);
create index on events (user_id, id desc);`

/** Every table with its key, and with the columns that no client changes in the rows from before the migration. */
export const TABLE_KEYS = {
  teams: ['id', 'name'],
  users: ['id', 'email', 'team_id'],
  memberships: ['team_id', 'user_id', 'role'],
  invitations: ['id', 'team_id', 'invited_by', 'email'],
  events: ['id', 'user_id'],
} as const

/** Creates the tables with about `rows` rows in all of them, and a copy of these rows in the schema `before`. */
export async function createTables(db: pg.Client, rows: number): Promise<void> {
  const users = Math.floor(rows / 5)
  const teams = Math.max(1, Math.floor(rows / 200))
  const invitations = Math.floor(rows / 10)
  const events = rows - 2 * users - teams - invitations
  await db.query(TABLES)
  await db.query(`
    insert into teams (name) select 'team ' || n from generate_series(1, ${teams}) n;
    create temp table numbered as select id, row_number() over () - 1 as n from teams;
    create index on numbered (n);
    insert into users (email, team_id)
      select 'user' || number || '@example.com', t.id from generate_series(1, ${users}) u(number) join numbered t on t.n = number % ${teams};
    update teams t set owner_id = u.id from (select distinct on (team_id) team_id, id from users) u where u.team_id = t.id;
    update users u set manager_id = t.owner_id from teams t where t.id = u.team_id and t.owner_id <> u.id;
    insert into memberships select team_id, id, 'member' from users;
    insert into invitations (team_id, invited_by, email)
      select team_id, user_id, 'guest@example.com' from memberships limit ${invitations};
    insert into events (user_id, note)
      select u.id, 'signed in' from users u, generate_series(1, ${Math.ceil(events / users)}) limit ${events};
    create schema before`)
  for (const [table, columns] of Object.entries(TABLE_KEYS))
    await db.query(
      `create table before.${table} as select ${columns.map((name) => `${name}::text`)} from ${table}`,
    )
  await db.query('analyze')
}

import { sql } from 'kysely'
import type pg from 'pg'
import type { Transaction } from '../database.ts'

/** The first word of a connection's `application_name`. The second is the last migration that the instance knows. */
export const APPLICATION = 'typed-id-api'

/** The privileges that the service needs on every table. */
const PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']

/** Throws unless the database can store every Unicode character. The encoding of a database never changes. */
export async function assertUtf8(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ encoding: string }>(
    "select current_setting('server_encoding') as encoding",
  )
  const [{ encoding } = { encoding: 'unknown' }] = rows
  if (encoding === 'UTF8') return
  throw new Error(
    `expected the encoding UTF8, but the database has ${encoding}: create it with "create database NAME encoding 'UTF8' template template0"`,
  )
}

/**
 * Throws if migrations cannot start: the schema has none yet, and the role may not create tables there (`migrating`),
 * or another schema has migrations, which Kysely would take for its own. The server's own error would be lost, because
 * Kysely runs another statement after it could not create a table, which the aborted transaction rejects.
 */
export async function assertSchema(pool: pg.Pool, migrating: boolean): Promise<void> {
  const { rows } = await pool.query<Record<'schema' | 'path' | 'role' | 'other', string | null>>(
    `select current_schema() as schema, current_setting('search_path') as path,
       case when not has_schema_privilege(current_schema(), 'CREATE') then quote_ident(current_user) end as role,
       (select min(nspname) from pg_class join pg_namespace as n on n.oid = relnamespace
        where relname = 'kysely_migration' and has_schema_privilege(n.oid, 'USAGE')) as other
     where to_regclass('kysely_migration') is null`,
  )
  const [found] = rows
  if (found === undefined) return
  const { schema, path, role, other } = found
  if (schema === null) throw new Error(`no schema of the search_path exists: ${path}`)
  if (other !== null)
    throw new Error(
      `the schema ${other} has a table kysely_migration: create a database for the service alone`,
    )
  if (migrating && role !== null)
    throw new Error(
      `the role ${role} lacks the privilege CREATE on the schema ${schema}: grant it, or make the role the owner of the database`,
    )
}

/**
 * Throws unless the role may read and change all rows of the tables. Ignores tables that do not exist. Row-level
 * security would hide rows without an error. A table in an earlier schema of the search_path would hide all rows.
 */
export async function assertPrivileges(pool: pg.Pool, tables: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ role: string; table: string; privileges: string }>(
    `select quote_ident(current_user) as role, t.name as table, string_agg(p.name, ', ' order by p.n) as privileges
     from unnest($1::text[]) with ordinality as t (name, n), unnest($2::text[]) with ordinality as p (name, n)
     where to_regclass(t.name) is not null and not has_table_privilege(t.name, p.name)
     group by t.n, t.name order by t.n`,
    [tables, PRIVILEGES],
  )
  const [first] = rows
  if (first === undefined) return assertRowsVisible(pool, tables)
  const missing = rows.map(({ table, privileges }) => `${privileges} on ${table}`).join('; ')
  throw new Error(
    `the role ${first.role} lacks the privileges ${missing}: grant them as the owner of the tables`,
  )
}

async function assertRowsVisible(pool: pg.Pool, tables: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ role: string; table: string; isForeign: boolean }>(
    `select quote_ident(current_user) as role, n.nspname || '.' || c.relname as table, not isOwn as "isForeign"
     from pg_class as c join pg_namespace as n on n.oid = c.relnamespace,
       lateral (select c.relnamespace = relnamespace as isOwn from pg_class where oid = to_regclass('kysely_migration')) as m
     where c.oid in (select to_regclass(name) from unnest($1::text[]) as t (name))
       and (not isOwn or row_security_active(c.oid))`,
    [tables],
  )
  const [first] = rows
  if (first === undefined) return
  const { role, table, isForeign } = first
  if (isForeign)
    throw new Error(`${table} hides the table of the service: create a database for the service alone`)
  throw new Error(`row-level security of ${table} hides rows from the role ${role}: disable it`)
}

/**
 * Throws while instances that know another last migration are connected. An instance whose pool has been idle for 10 s
 * has no connection until its next health check. Without health checks, it receives errors from the new schema.
 */
export async function assertNoOtherVersion(db: Transaction, own: string, next: string): Promise<void> {
  const { rows } = await sql<{ name: string; count: number }>`
    select application_name as name, count(*)::int as count from pg_stat_activity
    where datname = current_database() and split_part(application_name, ' ', 1) = ${APPLICATION}
      and application_name <> ${own}
    group by 1 order by 1`.execute(db)
  if (rows.length === 0) return
  const others = rows.map(
    ({ name, count }) => `${count} ${count === 1 ? 'connection' : 'connections'} of ${name}`,
  )
  throw new Error(
    `instances of another version use the database (${others.join(', ')}): stop them before ${next} is applied`,
  )
}

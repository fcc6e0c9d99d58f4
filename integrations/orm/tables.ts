import Sqlite from 'better-sqlite3'
import { Kysely, MysqlDialect, PostgresDialect, type RawBuilder, SqliteDialect } from 'kysely'
import pg from 'pg'
import type { IdType } from 'typed-id'
import type { IdStorage } from 'typed-id/codec'
import { idCheck } from 'typed-id/kysely'
import type { Engine, Server } from '../databases.ts'
import { TeamId, UserId } from './ids.ts'

/** The storages of each engine: the standard form, and the smallest form that the engine has. */
export const STORAGES: Record<Engine, readonly IdStorage[]> = {
  postgres: ['text', 'uuid'],
  sqlite: ['text', 'bytes'],
  mysql: ['text', 'bytes'],
}

/** Kysely instances that only compile queries, and never connect. */
const COMPILERS: Record<Engine, Kysely<object>> = {
  postgres: new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool() }) }),
  sqlite: new Kysely({ dialect: new SqliteDialect({ database: new Sqlite(':memory:') }) }),
  mysql: new Kysely({ dialect: new MysqlDialect({ pool: async () => Promise.reject() }) }),
}

/** Creates tables whose columns accept ids only. */
export async function createTables(server: Server, storage: IdStorage): Promise<void> {
  const column = (name: string, type: IdType<string>) =>
    `${name} ${columnType(name, type, server.engine, storage)}`
  await server.run(
    'drop table if exists users',
    'drop table if exists teams',
    `create table teams (${column('id', TeamId)}, name varchar(100) not null, primary key (id))`,
    `create table users (${column('id', UserId)}, name varchar(100) not null,
      ${column('team_id', TeamId)}, primary key (id), foreign key (team_id) references teams (id))`,
  )
}

function columnType(name: string, type: IdType<string>, engine: Engine, storage: IdStorage): string {
  if (storage === 'uuid') return 'uuid'
  if (storage === 'bytes')
    return engine === 'mysql'
      ? 'binary(16)'
      : `blob check (${name} is null or (typeof(${name}) = 'blob' and length(${name}) = 16))`
  const check: RawBuilder<boolean> = idCheck(type, name, engine)
  const length = type.example.length
  const text = engine === 'mysql' ? `varchar(${length}) character set ascii collate ascii_bin` : 'text'
  return `${text} check (${check.compile(COMPILERS[engine]).sql})`
}

/**
 * `pnpm --filter api run schema`: run it when the last migration is released. Writes the database after that migration
 * for each engine, and adds its checksum. From then on, tests upgrade these databases, and the migration must not change.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { profileA } from '../../src/profile-a/index.ts'
import { CHECKSUMS, checksumLine, SCHEMA_ENGINES, type SchemaEngine, schemaFile } from './files.ts'

const { migrations } = profileA
const names = Object.keys(migrations)
const last = names.at(-1) ?? ''

for (const engine of SCHEMA_ENGINES) {
  const file = schemaFile(last, engine)
  if (existsSync(file)) throw new Error(`${file.pathname} exists: a released schema does not change`)
  writeFileSync(file, await dumpOf(engine))
}
appendFileSync(CHECKSUMS, `${checksumLine(last)}\n`)

async function dumpOf(engine: SchemaEngine): Promise<string> {
  const executed: string[] = []
  const db = recordingKysely(engine, executed)
  for (const { up } of Object.values(migrations)) await up(db)
  const history = names.map((name) => `('${name}', '2026-01-01T00:00:00.000Z')`).join(', ')
  return [
    `-- The database of Profile A after ${last}, on ${engine}. Written by write.ts; rows are those of rows.sql.`,
    'create table "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);',
    'create table "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);',
    `insert into kysely_migration values ${history};`,
    "insert into kysely_migration_lock values ('migration_lock', 0);",
    ...executed.map((statement) => `${statement};`),
    readFileSync(new URL('rows.sql', import.meta.url), 'utf8'),
  ].join('\n')
}

/** Returns a Kysely that records statements instead of executing them. */
function recordingKysely(engine: SchemaEngine, executed: string[]): Kysely<unknown> {
  const connection: DatabaseConnection = {
    async executeQuery({ sql, parameters }: CompiledQuery) {
      if (parameters.length > 0)
        throw new Error(`a migration with parameters cannot be written as text: ${sql}`)
      executed.push(sql)
      return { rows: [] }
    },
    // biome-ignore lint/correctness/useYield: migrations do not stream.
    async *streamQuery() {
      throw new Error('not supported')
    },
  }
  const driver: Driver = {
    async init() {},
    acquireConnection: async () => connection,
    async beginTransaction() {},
    async commitTransaction() {},
    async rollbackTransaction() {},
    async releaseConnection() {},
    async destroy() {},
  }
  const isSqlite = engine === 'sqlite'
  return new Kysely({
    dialect: {
      createAdapter: () => (isSqlite ? new SqliteAdapter() : new PostgresAdapter()),
      createQueryCompiler: () => (isSqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
      createIntrospector: (db) => (isSqlite ? new SqliteIntrospector(db) : new PostgresIntrospector(db)),
      createDriver: () => driver,
    },
  })
}

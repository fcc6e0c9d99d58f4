import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { PROFILES } from '../../src/composition/variables.ts'
import { RowLockAdapter } from '../../src/database/postgres/exclusive.ts'
import { ColumnsAdapter } from '../../src/database/sqlite/connection.ts'
import { population } from '../support/population.ts'
import { MIGRATIONS, type SchemaEngine } from './files.ts'

/** Returns the SQL of a database after all migrations, with the same rows at each call. */
export async function dumpOf(engine: SchemaEngine): Promise<string> {
  const executed: string[] = []
  const db = recordingKysely(engine, executed)
  for (const { up } of Object.values(PROFILES.a.migrations)) await up(db)
  for (const tables of population({ users: 4, fixed: true }))
    for (const [table, rows] of Object.entries(tables))
      await db.insertInto(table).values(rows.map(literals)).execute()
  const history = MIGRATIONS.map((name) => `('${name}', '2026-01-01T00:00:00.000Z')`).join(', ')
  return [
    `-- The database of Profile A after ${MIGRATIONS.at(-1)}, on ${engine}. Written by "pnpm --filter api run schema".`,
    'create table "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);',
    'create table "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);',
    `insert into kysely_migration values ${history};`,
    "insert into kysely_migration_lock values ('migration_lock', 0);",
    ...executed.map((statement) => `${statement};\n`),
  ].join('\n')
}

const literals = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, sql.lit(value)]))

/** Returns a Kysely that records statements instead of executing them. */
// biome-ignore lint/suspicious/noExplicitAny: a migration runs before there are tables to have types.
function recordingKysely(engine: SchemaEngine, executed: string[]): Kysely<any> {
  class RecordingDriver extends DummyDriver {
    override async acquireConnection() {
      const connection = await super.acquireConnection()
      return Object.assign(connection, {
        async executeQuery({ sql, parameters }: CompiledQuery) {
          if (parameters.length > 0)
            throw new Error(`a migration must not have parameters: write sql.lit(value) in ${sql}`)
          executed.push(sql)
          return { rows: [] }
        },
      })
    }
  }
  const isSqlite = engine === 'sqlite'
  return new Kysely({
    dialect: {
      createAdapter: () => (isSqlite ? new ColumnsAdapter() : new RowLockAdapter()),
      createQueryCompiler: () => (isSqlite ? new SqliteQueryCompiler() : new PostgresQueryCompiler()),
      createIntrospector: (db) => (isSqlite ? new SqliteIntrospector(db) : new PostgresIntrospector(db)),
      createDriver: () => new RecordingDriver(),
    },
  })
}

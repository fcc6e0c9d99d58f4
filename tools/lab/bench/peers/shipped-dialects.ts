import { createApp } from 'api/app.ts'
import { readConfig } from 'api/config.ts'
import { migrate } from 'api/database/migrate.ts'
import { createLog } from 'api/observability/log.ts'
import { serve } from 'api/server/serve.ts'
import Sqlite from 'better-sqlite3'
import { type Dialect, Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'

/**
 * A peer: the same service with the dialects of Kysely. Everything else is the
 * same.
 */
const config = readConfig(process.env, process.cwd())
const { url, poolSize } = config.database

function createDialect(): Dialect {
  if (!url.startsWith('sqlite:'))
    return new PostgresDialect({
      pool: new pg.Pool({ connectionString: url, max: poolSize }),
    })
  const database = new Sqlite(url.slice('sqlite:'.length))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  return new SqliteDialect({ database })
}

const db = new Kysely<unknown>({ dialect: createDialect() })
await migrate(db, config.profile.migrations)
const log = createLog(config.logLevel, process.stdout)
const database = { db, close: () => db.destroy() }
await serve(createApp({ ...config, database, log }), config, log)

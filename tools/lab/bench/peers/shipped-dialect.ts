import { createApp, PROFILES } from 'api/app.ts'
import { readConfig } from 'api/config.ts'
import { migrate } from 'api/database/migrate.ts'
import { createLog } from 'api/observability/log.ts'
import { serve } from 'api/server/serve.ts'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'

const config = readConfig(process.env, process.cwd())
const sqlite = new Sqlite(config.database.url.slice('sqlite:'.length))
sqlite.pragma('journal_mode = WAL')
sqlite.pragma('synchronous = FULL')
sqlite.pragma('foreign_keys = ON')
const db = new Kysely<unknown>({
  dialect: new SqliteDialect({ database: sqlite }),
})
await migrate(db, PROFILES[config.profileName].migrations, 'sqlite')
const log = createLog(config.logLevel, process.stdout)
const database = { db, close: () => db.destroy() }
await serve(
  createApp({ profile: PROFILES[config.profileName], database, log }),
  config,
  log,
)

import type { Logger } from 'pino'
import { PROFILES } from '../app.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../database/connect.ts'

/** Brings the schema up to date and ends. */
export async function migrate({ profile, database }: Config, log: Logger): Promise<void> {
  const { migrations } = PROFILES[profile]
  const db = await openDatabase(database, migrations)
  await db.close()
  log.info({ migrations: Object.keys(migrations) }, 'the schema is up to date')
}

import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { inSetting } from '../errors.ts'
import { openDatabase } from '../open-database.ts'

/** Applies pending migrations, and closes the database. */
export async function migrate({ profile: { migrations }, database }: Config, log: Logger): Promise<void> {
  const db = await openDatabase(database, migrations).catch(inSetting('DATABASE_URL'))
  await db.close()
  log.info({ migrations: Object.keys(migrations) }, 'schema is up to date')
}

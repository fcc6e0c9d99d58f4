import type { Logger } from 'pino'
import type { Config } from '../composition/config.ts'
import type { Database } from '../database/database.ts'
import { insertSamples, type SampleRows } from '../database/samples.ts'
import { inSetting, OperatorError } from '../errors.ts'

/** Number of users of the demo. */
const USERS = 200

/**
 * Returns a function that fills an empty database with data to look at: the same rows each time. All rows are stored,
 * or none.
 */
export function fillWithDemo({ profile, profileName }: Config, log: Logger): (db: Database) => Promise<void> {
  const { createSamples, tables = [] } = profile
  if (createSamples === undefined)
    throw new OperatorError(`--demo: PROFILE=${profileName} has no sample data`)
  return async (db) => {
    const rows: SampleRows = Object.assign({}, ...createSamples({ users: USERS, fixed: true }))
    await insertSamples(db, [rows], { empty: tables }).catch(inSetting('--demo'))
    const counts = Object.fromEntries(Object.entries(rows).map(([name, { length }]) => [name, length]))
    log.info({ rows: counts }, 'demo data stored')
  }
}

import type { Logger } from 'pino'
import type { Table } from '../database/copy.ts'
import type { Database } from '../database/database.ts'
import { continueIdsAfter } from '../ids.ts'

/** How far the newest stored id may be ahead of the clock. Beyond that, the clock that made it was wrong. */
const MAX_DRIFT_MS = 24 * 3_600_000

/**
 * Lets new ids sort after all stored ones, also when the clock was set back between two starts: lists are in the order
 * of ids, and a client that polls with `after` would never see an id that sorts before its last one. A newest id that
 * is more than a day ahead of the clock is not followed, because every later id would contain the wrong time.
 */
export async function resumeIds(db: Database, tables: readonly Table[], log: Logger): Promise<void> {
  const newest = await findNewestUuid(db, tables)
  if (newest === undefined) return
  const driftMs = Number.parseInt(newest.slice(0, 13).replace('-', ''), 16) - Date.now()
  if (driftMs > MAX_DRIFT_MS)
    return log.error({ drift_ms: driftMs }, 'stored ids are ahead of the clock, new ids sort before them')
  if (driftMs > 0)
    log.warn({ drift_ms: driftMs }, 'clock is behind the stored ids, new ids continue after them')
  continueIdsAfter(newest)
}

/** Returns the version 7 UUID of the newest id in all tables, which is the greatest. */
async function findNewestUuid(db: Database, tables: readonly Table[]): Promise<string | undefined> {
  const withId = tables.filter(({ key }) => key.length === 1)
  return db.readSnapshot(async (tx) => {
    const uuids: string[] = []
    for (const { name, key } of withId) {
      const [column = ''] = key
      const [row] = await tx
        .selectFrom(name)
        .select(`${column} as id`)
        .orderBy(column, 'desc')
        .limit(1)
        .execute()
      const uuid = row?.id.slice(-36)
      if (uuid?.charAt(14) === '7') uuids.push(uuid)
    }
    return uuids.sort().at(-1)
  })
}

import type { Logger } from 'pino'
import { firstIdAt } from 'typed-id/range'
import type { Database } from '../database/database.ts'
import type { TableShape } from '../database/table.ts'
import { continueIdsAfter, ID_TYPES } from '../ids.ts'

/** How far the newest stored id may be ahead of the clock. Beyond that, the clock that made it was wrong. */
const MAX_DRIFT_MS = 24 * 3_600_000

/**
 * Lets new ids sort after all stored ones, also when the clock was set back between two starts: lists are in the order
 * of ids, and a client that polls with `after` would never see an id that sorts before its last one. Ids that are more
 * than a day ahead of the clock are not followed, because every later id would contain the wrong time.
 */
export async function resumeIds(db: Database, tables: readonly TableShape[], log: Logger): Promise<void> {
  const now = Date.now()
  const limit = now + MAX_DRIFT_MS
  const ids = (await findGreatestIds(db, tables, limit)).flatMap(readVersion7).sort(byUuid)
  const aheadMs = Number(ids.at(-1)?.time) - now
  if (aheadMs > MAX_DRIFT_MS)
    log.error({ drift_ms: aheadMs }, 'stored ids are ahead of the clock, new ids sort before them')
  const newest = ids.findLast(({ time }) => Number(time) <= limit)
  if (newest === undefined) return
  const driftMs = Number(newest.time) - now
  if (driftMs > 0)
    log.warn({ drift_ms: driftMs }, 'clock is behind the stored ids, new ids continue after them')
  continueIdsAfter(newest.uuid)
}

interface Version7 {
  readonly uuid: string
  readonly time: Date
}

const byUuid = (a: Version7, b: Version7) => (a.uuid < b.uuid ? -1 : 1)

/** Returns the UUID of an id with its time, and nothing for an id without a time. */
function readVersion7(id: string): Version7[] {
  for (const type of ID_TYPES) {
    if (!type.is(id)) continue
    const time = type.timestamp(id)
    return time ? [{ uuid: type.toUuid(id), time }] : []
  }
  return []
}

/**
 * Returns the greatest id of each table whose key is an id, and the greatest one before `limit`: one id of a wrong clock, or
 * of another UUID version, would hide the others.
 */
function findGreatestIds(db: Database, tables: readonly TableShape[], limit: number): Promise<string[]> {
  return db.readSnapshot(async (tx) => {
    const ids: string[] = []
    for (const { name, key } of tables) {
      const [column, ...others] = key
      if (column === undefined || others.length > 0) continue
      const greatest = tx.selectFrom(name).select(`${column} as id`).orderBy(column, 'desc').limit(1)
      for (const { id } of await greatest.execute()) {
        const type = ID_TYPES.find((each) => each.is(id))
        const before = type && greatest.where(column, '<', firstIdAt(type, Math.max(limit, 0)))
        ids.push(id, ...((await before?.execute()) ?? []).map((row) => row.id))
      }
    }
    return ids
  })
}

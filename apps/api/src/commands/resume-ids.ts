import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { firstIdAt } from 'typed-id'
import { continueIdsAfter, ID_TYPES } from '../ids.ts'

/** Maximum lead of the newest stored id over the clock. With a greater lead, the clock that made the id was wrong. */
const MAX_DRIFT_MS = 24 * 3_600_000

/**
 * Makes new ids sort after all stored ones, also when the clock was set back between two starts. Lists are in the order
 * of ids, so a client that polls with `after` would never see an id that sorts before the client's last one. Ignores
 * stored ids that are more than a day ahead of the clock, because every later id would contain the wrong time.
 */
// biome-ignore lint/suspicious/noExplicitAny: the tables of any profile.
export async function resumeIds(db: Kysely<any>, tables: readonly string[], log: Logger): Promise<void> {
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

/** Returns the UUID and the time of an id, or an empty array for an id that contains no time. */
function readVersion7(id: string): Version7[] {
  for (const type of ID_TYPES) {
    if (!type.is(id)) continue
    const time = type.timestamp(id)
    return time ? [{ uuid: type.toUuid(id), time }] : []
  }
  return []
}

/**
 * Returns the greatest id of each table, and also the greatest id before `limit`, because one id of a wrong clock, or of
 * another UUID version, would hide all others.
 */
// biome-ignore lint/suspicious/noExplicitAny: the tables of any profile.
async function findGreatestIds(db: Kysely<any>, tables: readonly string[], limit: number): Promise<string[]> {
  const ids: string[] = []
  for (const table of tables) {
    const greatest = db.selectFrom(table).select('id').orderBy('id', 'desc').limit(1)
    for (const { id } of await greatest.execute()) {
      const type = ID_TYPES.find((each) => each.is(id))
      const before = type && greatest.where('id', '<', firstIdAt(type, Math.max(limit, 0)))
      ids.push(id, ...((await before?.execute()) ?? []).map((row) => row.id))
    }
  }
  return ids
}

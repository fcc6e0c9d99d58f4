import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { continueIdsAfter, ID_TYPES } from '../ids.ts'

/** Maximum lead of the newest stored id over the clock. With a greater lead, the clock that made the id was wrong. */
const MAX_DRIFT_MS = 24 * 3_600_000

/**
 * Makes new ids sort after all stored ones, also when the clock was set back between two starts. Lists are in the order
 * of ids, so a client that polls with `after` would never see an id that sorts before the client's last one. Does not
 * follow an id that is more than a day ahead of the clock, because every later id would contain the wrong time.
 */
// biome-ignore lint/suspicious/noExplicitAny: the tables of any profile.
export async function resumeIds(db: Kysely<any>, tables: readonly string[], log: Logger): Promise<void> {
  const stored: { uuid: string; drift_ms: number }[] = []
  for (const table of tables) {
    const row = await db.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
    const type = ID_TYPES.find((each) => each.is(row?.id))
    const time = type?.timestamp(row?.id)
    if (type && time) stored.push({ uuid: type.toUuid(row?.id), drift_ms: time.getTime() - Date.now() })
  }
  const newest = stored.sort((a, b) => (a.uuid < b.uuid ? -1 : 1)).at(-1)
  if (newest === undefined) return
  const { uuid, drift_ms } = newest
  if (drift_ms > MAX_DRIFT_MS) {
    log.error({ drift_ms }, 'stored ids are ahead of the clock, new ids sort before them')
    return
  }
  if (drift_ms > 0) log.warn({ drift_ms }, 'clock is behind the stored ids, new ids continue after them')
  continueIdsAfter(uuid)
}

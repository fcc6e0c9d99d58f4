export interface StoredRecord {
  readonly id: string
  readonly [field: string]: unknown
}

/** A request that a client has sent. Times are in milliseconds. */
export interface Sent {
  readonly client: number
  readonly instance: number
  readonly start: number
  /**
   * The time of the response. Infinity after a 503 or without a response,
   * because a write may then take place at any time after `start`, or never.
   */
  readonly end: number
}

export const LISTS = ['users', 'teams', 'roles'] as const

export type List = (typeof LISTS)[number]

/**
 * The fields of a record by name. A user also has a field for each role, which
 * is named by the id of the role.
 */
export type Fields = Readonly<Record<string, string>>

/** A request about one record, or one item of a list that a client has read. */
export interface Event extends Sent {
  readonly list: List
  /**
   * The id of the record. Undefined if a creation received no 201, which would
   * contain the id.
   */
  readonly id?: string
  readonly action: 'create' | 'change' | 'delete' | 'read'
  /** The method, path and body, for messages about anomalies. */
  readonly request: string
  readonly sets?: Fields
  /**
   * The whole record in the response, null for a 404, or undefined if the
   * response contains no record.
   */
  readonly shows?: Fields | null
  /** The unique value that a creation stores, such as an e-mail address. */
  readonly claims?: string
  /**
   * Whether the service rejected a creation with 400, because another record
   * has the unique value.
   */
  readonly isDuplicate?: boolean
}

export interface Walk extends Sent {
  readonly list: List
  readonly team?: string
  readonly ids: ReadonlySet<string>
}

export interface History {
  /**
   * The records of each list before the run, as JSON by id. No client changes
   * these records.
   */
  readonly before: Readonly<Record<List, ReadonlyMap<string, string>>>
  readonly events: Event[]
  readonly walks: Walk[]
  /**
   * Messages about responses that are wrong whatever the order of the requests
   * was, such as a list with a repeated id, and about damage to the database.
   */
  readonly broken: string[]
}

export const createHistory = (before: History['before']): History => ({
  before,
  events: [],
  walks: [],
  broken: [],
})

export function fieldsOf({ id: _, team, roles, ...own }: StoredRecord): Fields {
  const fields: Record<string, string> = {}
  for (const [name, value] of Object.entries(own)) fields[name] = String(value)
  if (team !== undefined)
    fields.team = (team as StoredRecord | null)?.id ?? 'none'
  for (const role of (roles ?? []) as StoredRecord[])
    fields[role.id] = 'assigned'
  return fields
}

/**
 * Adds the event of a request, with the record that the response contained. If
 * the record existed before the run, only checks that the record is unchanged,
 * because clients change only records that the run has created.
 */
export function addEvent(
  history: History,
  event: Omit<Event, 'shows'>,
  record?: StoredRecord | null,
): void {
  const { list, id = '', request } = event
  const expected = history.before[list].get(id)
  const found = JSON.stringify(record)
  if (expected !== undefined) {
    if (found !== expected)
      history.broken.push(`${request} returned ${found}, expected ${expected}`)
    return
  }
  history.events.push(
    record === undefined
      ? event
      : { ...event, shows: record && fieldsOf(record) },
  )
}

/**
 * Adds a list that a client has read. Each item becomes a read at the time of
 * the request that returned the item. Reports repeated or unsorted ids, and
 * missing records that existed before the run, because no client deletes such
 * records.
 */
export function addWalk(
  history: History,
  list: List,
  pages: readonly {
    readonly sent: Sent
    readonly items: readonly StoredRecord[]
  }[],
  team?: string,
): void {
  const [first, last] = [pages[0]?.sent, pages.at(-1)?.sent]
  if (first === undefined || last === undefined) return
  const request = `GET /${list}${team ? `?team_id=${team}` : ''}`
  const unchanged = history.before[list]
  const ids = new Set<string>()
  let previous = ''
  for (const { sent, items } of pages) {
    for (const item of items) {
      if (ids.has(item.id)) history.broken.push(`${request} repeats ${item.id}`)
      else if (item.id <= previous)
        history.broken.push(`${request} lists ${item.id} after ${previous}`)
      previous = item.id
      ids.add(item.id)
      if (team && (item.team as StoredRecord | null)?.id !== team)
        history.broken.push(`${request} contains ${JSON.stringify(item)}`)
      const { id } = item
      addEvent(history, { ...sent, list, id, action: 'read', request }, item)
    }
  }
  for (const [id, json] of unchanged)
    if (!ids.has(id) && (!team || json.includes(`"team":{"id":"${team}"`)))
      history.broken.push(`${request} skips ${id}`)
  for (const id of unchanged.keys()) ids.delete(id)
  const walk = { ...first, end: last.end, list, ids }
  history.walks.push({ ...walk, ...(team && { team }) })
}

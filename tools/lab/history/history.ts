export interface StoredRecord {
  readonly id: string
  readonly [field: string]: unknown
}

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

/** The values of a record by the name of their field. */
export type Fields = Readonly<Record<string, string>>

/**
 * An operation on one record. A list response counts as a read of each item.
 */
export interface Event extends Sent {
  readonly list: List
  /** Undefined if a creation received no 201, which contains the id. */
  readonly id?: string
  readonly action: 'create' | 'change' | 'delete' | 'read'
  readonly request: string
  readonly sets?: Fields
  /** The record in the response, null for a 404, undefined without a record. */
  readonly shows?: Fields | null
  /** The unique value that a creation stores, such as an e-mail address. */
  readonly claims?: string
  readonly isDuplicate?: boolean
}

export interface Walk extends Sent {
  readonly list: List
  readonly team?: string
  readonly ids: ReadonlySet<string>
}

export interface History {
  /**
   * Each list's records before the run, as JSON by id. No client changes these
   * records, so responses must match the JSON.
   */
  readonly before: Readonly<Record<List, ReadonlyMap<string, string>>>
  readonly events: Event[]
  readonly walks: Walk[]
  /**
   * Messages about damage to the database, and about responses that are wrong
   * in any order of the requests, such as a list with a repeated id.
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

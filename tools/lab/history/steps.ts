import type { Event, Fields } from './history.ts'
import type { Operation } from './linearizability.ts'

/**
 * The state of a record that does not exist, or of a value that no record has.
 */
export const NONE = ''

export interface Step extends Operation {
  readonly event: Event
}

/**
 * Returns the operations on one record from its creation to its deletion. A
 * write whose response shows the record becomes a write and a later read of all
 * fields at one moment: the service promises the record as it was at the write
 * or later.
 */
export function stepsOfRecord(events: readonly Event[]): Step[] {
  return events.flatMap((event) => {
    const { start, end, action, shows, sets = {} } = event
    const timing = { event, start, end }
    const shown = shows ? format(shows) : NONE
    const read: Step = {
      ...timing,
      step: (state) => (state === shown ? state : undefined),
      isRead: true,
    }
    if (action === 'read' || (action === 'delete' && shows === null))
      return read
    const step = (state: string): string | undefined => {
      if (action === 'create') return state === NONE ? format(sets) : undefined
      // The user did not exist before the change, or was deleted before the
      // response was read.
      if (state === NONE) return shows === null ? state : undefined
      return action === 'delete' ? NONE : format({ ...parse(state), ...sets })
    }
    const write: Step = { ...timing, step, isRead: false }
    return shows === undefined ? write : [write, { ...read, after: write }]
  })
}

/**
 * Returns the step of a list that lacked the user: the user did not exist, or
 * was not in `team`, the filter of the list.
 */
export function absence(event: Event, team?: string): Step {
  const { start, end } = event
  const step = (state: string) =>
    state === NONE || (team !== undefined && parse(state).team !== team)
      ? state
      : undefined
  return { event, start, end, step, isRead: true }
}

/**
 * Returns the operations on a unique value, such as an e-mail. A creation takes
 * the value, and the deletion of its record frees it. A creation may be
 * rejected only while a record has the value. `deletions` are the deletions of
 * records with the value.
 */
export function stepsOfUnique(
  creations: readonly Event[],
  deletions: readonly Event[],
): Step[] {
  return [...creations, ...deletions].map((event, index) => {
    const { start, end, action, isDuplicate = false } = event
    const id = event.id ?? `an unknown record ${index}`
    const step = (state: string): string | undefined => {
      if (isDuplicate) return state || undefined
      if (action === 'create') return state === NONE ? id : undefined
      return state === id ? NONE : undefined
    }
    return { event, start, end, step, isRead: isDuplicate }
  })
}

const format = (fields: Fields): string =>
  JSON.stringify(Object.entries(fields).sort())

const parse = (state: string): Fields => Object.fromEntries(JSON.parse(state))

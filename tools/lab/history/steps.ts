import type { Event, Fields } from './history.ts'
import type { Operation } from './linearizability.ts'

/**
 * The state of a record that does not exist, or of a value that no record has.
 */
export const NONE = ''

/**
 * Values that a deletion writes, and that every change of a team writes, for
 * `minimize`.
 */
const NO_RECORD = 'no record'
const ANY_TEAM = 'any team'

export interface Step extends Operation {
  readonly event: Event
}

/**
 * Returns the operations on one record from its creation to its deletion,
 * restricted to `field` if that is given. A write whose response shows the
 * record becomes a write and a later read of all fields at one moment: the
 * service promises the record as it was at the write or later.
 */
export function stepsOfRecord(
  events: readonly Event[],
  field?: string,
): Step[] {
  return events.flatMap((event) => {
    const { start, end, action } = event
    const timing = { event, start, end }
    const shows = event.shows && only(event.shows, field)
    const shown = shows ? format(shows) : NONE
    const read = {
      ...timing,
      step: (state: string) => (state === shown ? state : undefined),
      writes: [],
    }
    const isWrite =
      action === 'create' || action === 'change' || shows === undefined
    if (!isWrite) return { ...read, shows: valuesOf(shows) }
    const sets = only(event.sets, field)
    const step = (state: string): string | undefined => {
      if (action === 'create') return state === NONE ? format(sets) : undefined
      // The user did not exist before the change, or was deleted before the
      // response was read.
      if (state === NONE) return shows === null ? state : undefined
      return action === 'delete' ? NONE : format({ ...parse(state), ...sets })
    }
    const write: Step = {
      ...timing,
      step,
      writes: writesOf(action, sets),
      shows: [],
    }
    return shows === undefined
      ? write
      : [write, { ...read, after: write, shows: valuesOf(shows) }]
  })
}

function writesOf(action: Event['action'], sets: Fields): string[] {
  if (action === 'delete') return [NO_RECORD]
  // The first value, 'record', says that the record exists. Only a creation
  // writes it.
  const values = valuesOf(sets).slice(action === 'create' ? 0 : 1)
  return sets.team === undefined ? values : [...values, ANY_TEAM]
}

function valuesOf(fields: Fields | null | undefined): string[] {
  if (fields === undefined) return []
  if (fields === null) return [NO_RECORD]
  return [
    'record',
    ...Object.entries(fields).map(([name, value]) => `${name}=${value}`),
  ]
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
  return {
    event,
    start,
    end,
    step,
    writes: [],
    shows: team ? [NO_RECORD, ANY_TEAM] : [NO_RECORD],
  }
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
    const { start, end, action, isDuplicate } = event
    const id = event.id ?? `an unknown record ${index}`
    const timing = { event, start, end }
    if (isDuplicate)
      return {
        ...timing,
        step: (state) => state || undefined,
        writes: [],
        shows: ['taken'],
      }
    if (action === 'create') {
      const step = (state: string) => (state === NONE ? id : undefined)
      return { ...timing, step, writes: ['taken', id], shows: ['free'] }
    }
    const step = (state: string) => (state === id ? NONE : undefined)
    return { ...timing, step, writes: ['free'], shows: [id] }
  })
}

const only = (fields: Fields = {}, field?: string): Fields =>
  field === undefined
    ? fields
    : Object.fromEntries(
        Object.entries(fields).filter(([name]) => name === field),
      )

const format = (fields: Fields): string =>
  JSON.stringify(Object.entries(fields).sort())

const parse = (state: string): Fields => Object.fromEntries(JSON.parse(state))

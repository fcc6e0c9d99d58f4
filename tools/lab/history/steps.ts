import type { Event, Fields } from './history.ts'
import type { Operation } from './linearizability.ts'

/** The state of a record that does not exist, and of a value that no record has. */
export const NONE = ''

/** Values that a deletion writes, and any change of a team. */
const NO_RECORD = 'no record'
const ANY_TEAM = 'any team'

/** An operation with the request that it stands for. */
export interface Step extends Operation {
  readonly event: Event
}

/** The operations on one record, which exists from its creation to its deletion, as if it had only `field`, if given. */
export function stepsOfRecord(events: readonly Event[], field?: string): Step[] {
  return events.map((event) => {
    const { start, end, action } = event
    const sets = action === 'read' ? undefined : only(event.sets, field)
    const shows = event.shows && only(event.shows, field)
    const shown = shows ? format(shows) : undefined
    const step = (state: string): string | undefined => {
      if (action === 'create' && state !== NONE) return undefined
      if (action === 'create') return confirm(format(sets ?? {}), shown)
      if (shows === null || state === NONE) return state === NONE && shows === null ? state : undefined
      if (action === 'read') return state === shown ? state : undefined
      if (action === 'delete') return NONE
      return confirm(format({ ...parse(state), ...sets }), shown)
    }
    const writes = writesOf(action, shows, sets)
    const others = valuesOf(shows).filter((value) => !writes.includes(value))
    return { event, start, end, step, writes, shows: others }
  })
}

function writesOf(action: Event['action'], shows: Fields | null | undefined, sets: Fields = {}): string[] {
  if (action === 'read' || shows === null) return []
  if (action === 'delete') return [NO_RECORD]
  const values = action === 'create' ? valuesOf(sets) : valuesOf(sets).slice(1) // a change does not write the record itself
  return sets.team === undefined ? values : [...values, ANY_TEAM]
}

function valuesOf(fields: Fields | null | undefined): string[] {
  if (fields === undefined) return []
  if (fields === null) return [NO_RECORD]
  return ['record', ...Object.entries(fields).map(([name, value]) => `${name}=${value}`)]
}

/** A read that does not show the user in a list: the user does not exist, or is not in the team of the list. */
export function absence(event: Event, team?: string): Step {
  const { start, end } = event
  const step = (state: string) =>
    state === NONE || (team !== undefined && parse(state).team !== team) ? state : undefined
  return { event, start, end, step, writes: [], shows: team ? [NO_RECORD, ANY_TEAM] : [NO_RECORD] }
}

/**
 * The operations on a value that must be unique, such as an e-mail: a creation takes it, the deletion of its record
 * frees it, and a creation is rejected only while a record has it. `deletions` are those of the records that took it.
 */
export function stepsOfUnique(creations: readonly Event[], deletions: readonly Event[]): Step[] {
  return [...creations, ...deletions].map((event, index) => {
    const { start, end, action, isDuplicate } = event
    const id = event.id ?? `an unknown record ${index}`
    const timing = { event, start, end }
    if (isDuplicate) return { ...timing, step: (state) => state || undefined, writes: [], shows: ['taken'] }
    if (action === 'create') {
      const step = (state: string) => (state === NONE ? id : undefined)
      return { ...timing, step, writes: ['taken', id], shows: ['free'] }
    }
    const step = (state: string) => (state === id ? NONE : undefined)
    return { ...timing, step, writes: ['free'], shows: [id] }
  })
}

const only = (fields: Fields = {}, field?: string): Fields =>
  field === undefined ? fields : Object.fromEntries(Object.entries(fields).filter(([name]) => name === field))

const confirm = (state: string, shown: string | undefined) =>
  shown === undefined || state === shown ? state : undefined

const format = (fields: Fields): string => JSON.stringify(Object.entries(fields).sort())

const parse = (state: string): Fields => Object.fromEntries(JSON.parse(state))

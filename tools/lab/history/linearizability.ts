import type { Event, Fields } from './history.ts'

/**
 * A read or a write of one object, such as a user. A step takes place between
 * its request and the response or, without a response, at any time after the
 * request or never.
 */
export interface Step {
  readonly event: Event
  readonly after?: Step
  /**
   * Returns the state after the step, or undefined if the response is
   * impossible in the given state.
   */
  apply(state: string): string | undefined
  readonly isRead: boolean
}

const NONE = ''

/**
 * The result of one possible order of steps: the state of the object, and one
 * bit for each step of the order that has not received its response yet.
 */
interface Configuration {
  readonly state: string
  readonly done: bigint
}

/**
 * Returns the first step whose response no order of the steps explains, or
 * undefined if the history is linearizable. Uses the search of Wing and Gong
 * (1993) with just-in-time linearization (Lowe, 2017).
 */
export function findViolation(steps: readonly Step[]): Step | undefined {
  const bits = new Map<Step, bigint>()
  let used = 0n
  let unanswered = 0n
  let frontier: Configuration[] = [{ state: NONE, done: 0n }]
  for (const { step, isCall } of eventsOf(steps)) {
    if (isCall) {
      const bit = lowestFree(used)
      used |= bit
      if (step.event.end === Infinity) unanswered |= bit
      bits.set(step, bit)
      continue
    }
    frontier = linearize(step, frontier, bits, unanswered)
    if (frontier.length === 0) return step
    used &= ~(bits.get(step) as bigint)
    bits.delete(step)
  }
  return undefined
}

/**
 * At equal times, the order of a request and a response is unknown. Sorts the
 * request first, so that the two steps count as concurrent.
 */
function eventsOf(steps: readonly Step[]) {
  return steps
    .flatMap((step) => [
      { step, isCall: true, at: step.event.start },
      { step, isCall: false, at: step.event.end },
    ])
    .filter(({ at }) => at < Infinity)
    .sort((a, b) => a.at - b.at || Number(b.isCall) - Number(a.isCall))
}

const lowestFree = (used: bigint) => ~used & (used + 1n)

/**
 * Each element of `frontier` is the result of a possible order of steps.
 * Continues each order until the order contains `step`, if necessary with other
 * steps that wait for a response, and returns the new results.
 */
function linearize(
  step: Step,
  frontier: readonly Configuration[],
  bits: ReadonlyMap<Step, bigint>,
  unanswered: bigint,
): Configuration[] {
  const ownBit = bits.get(step) as bigint
  const result = createFrontier(unanswered)
  const seen = createFrontier(unanswered)
  const open: Configuration[] = []
  const visit = (configuration: Configuration) => {
    const next = withReads(configuration, bits)
    if (next.done & ownBit)
      result.add({ state: next.state, done: next.done & ~ownBit })
    else if (seen.add(next)) open.push(next)
  }
  for (const configuration of frontier) visit(configuration)
  for (let current = open.pop(); current; current = open.pop()) {
    for (const [other, bit] of bits) {
      if (current.done & bit || !isReady(other, current, bits)) continue
      const state = other.apply(current.state)
      if (state !== undefined) visit({ state, done: current.done | bit })
    }
  }
  return result.all()
}

/**
 * Appends all reads that return the current state to an order of steps. A read
 * changes nothing, so orders in which it follows later need not be tried.
 */
function withReads(
  { state, done }: Configuration,
  bits: ReadonlyMap<Step, bigint>,
): Configuration {
  let next = done
  for (const [step, bit] of bits) {
    const isDue =
      step.isRead && !(next & bit) && isReady(step, { done: next }, bits)
    if (isDue && step.apply(state) !== undefined) next |= bit
  }
  return { state, done: next }
}

function isReady(
  { after }: Step,
  { done }: Pick<Configuration, 'done'>,
  bits: ReadonlyMap<Step, bigint>,
): boolean {
  const bit = after && bits.get(after)
  return bit === undefined || (done & bit) !== 0n
}

/**
 * Collects the possible orders of steps. Of two orders that lead to the same
 * state and differ only in requests without a response, keeps the shorter one,
 * because it can still add these requests later.
 */
function createFrontier(unanswered: bigint) {
  const byKey = new Map<string, Configuration[]>()
  return {
    add(configuration: Configuration): boolean {
      const { state, done } = configuration
      const key = `${done & ~unanswered} ${state}`
      const equal = byKey.get(key) ?? []
      const extra = done & unanswered
      if (equal.some((other) => (other.done & unanswered & ~extra) === 0n))
        return false
      byKey.set(key, [
        ...equal.filter((other) => (extra & ~other.done) !== 0n),
        configuration,
      ])
      return true
    },
    all: () => [...byKey.values()].flat(),
  }
}

/**
 * A request that writes and returns a record becomes a write and a later read,
 * because another client may change the record before the service reads the
 * record for the response.
 */
export function stepsOfRecord(events: readonly Event[]): Step[] {
  return events.flatMap((event) => {
    const { action, shows, sets = {} } = event
    const shown = shows ? format(shows) : NONE
    const read: Step = {
      event,
      apply: (state) => (state === shown ? state : undefined),
      isRead: true,
    }
    if (action === 'read' || (action === 'delete' && shows === null))
      return read
    const apply = (state: string): string | undefined => {
      if (action === 'create') return state === NONE ? format(sets) : undefined
      if (state === NONE) return shows === null ? state : undefined
      return action === 'delete' ? NONE : format({ ...parse(state), ...sets })
    }
    const write: Step = { event, apply, isRead: false }
    return shows === undefined ? write : [write, { ...read, after: write }]
  })
}

export function absence(event: Event, team?: string): Step {
  const apply = (state: string) =>
    state === NONE || (team !== undefined && parse(state).team !== team)
      ? state
      : undefined
  return { event, apply, isRead: true }
}

/**
 * A record holds a unique value, such as an e-mail address, from its creation
 * until its deletion. Only in this time may a creation with the same value be
 * rejected.
 */
export function stepsOfUnique(
  creations: readonly Event[],
  deletions: readonly Event[],
): Step[] {
  return [...creations, ...deletions].map((event, index) => {
    const { action, isDuplicate = false } = event
    const id = event.id ?? `an unknown record ${index}`
    const apply = (state: string): string | undefined => {
      if (isDuplicate) return state || undefined
      if (action === 'create') return state === NONE ? id : undefined
      return state === id ? NONE : undefined
    }
    return { event, apply, isRead: isDuplicate }
  })
}

const format = (fields: Fields): string =>
  JSON.stringify(Object.entries(fields).sort())

const parse = (state: string): Fields => Object.fromEntries(JSON.parse(state))

/** An operation on one object, such as a user, as its client saw it. */
export interface Operation {
  readonly start: number
  /**
   * Time of the complete response. Infinity without a response: the operation
   * takes place after `start`, or never.
   */
  readonly end: number
  /** An earlier operation of the same request, which must take place first. */
  readonly after?: Operation
  /**
   * Returns the state after the operation, or undefined if the response is
   * impossible in the given state.
   */
  step(state: string): string | undefined
  /** Whether the operation changes nothing. */
  readonly isRead: boolean
}

/**
 * A possible state of the object. `done` has a bit for each pending operation
 * that is already part of the state.
 */
interface Configuration {
  readonly state: string
  readonly done: bigint
}

/**
 * Returns the first operation at whose response no order of the operations
 * explains all responses so far. Returns undefined if the history is
 * linearizable: each operation can have taken place at one moment between its
 * request and its response.
 *
 * This is the search of Wing and Gong (1993) with just-in-time linearization of
 * Lowe (2017): an operation is put into the order when a response requires it,
 * and equal configurations are examined once. Like Porcupine, the judge calls
 * it for each object separately, which is sufficient because linearizability is
 * local. If two configurations differ only in operations without a response,
 * the configuration that contains fewer of them is kept: it permits every
 * continuation of the other.
 */
export function findViolation<T extends Operation>(
  operations: readonly T[],
  initial: string,
): T | undefined {
  const bits = new Map<T, bigint>()
  let used = 0n
  let unanswered = 0n
  let frontier: Configuration[] = [{ state: initial, done: 0n }]
  for (const { operation, isCall } of eventsOf(operations)) {
    if (isCall) {
      const bit = lowestFree(used)
      used |= bit
      if (operation.end === Infinity) unanswered |= bit
      bits.set(operation, bit)
      continue
    }
    frontier = linearize(operation, frontier, bits, unanswered)
    if (frontier.length === 0) return operation
    used &= ~(bits.get(operation) as bigint)
    bits.delete(operation)
  }
  return undefined
}

/**
 * Returns calls and responses by time. Simultaneous calls precede responses, so
 * that the operations overlap.
 */
function eventsOf<T extends Operation>(operations: readonly T[]) {
  const calls = operations.map((operation) => ({
    operation,
    isCall: true,
    at: operation.start,
  }))
  const responses = operations.map((operation) => ({
    operation,
    isCall: false,
    at: operation.end,
  }))
  return [...calls, ...responses.filter(({ at }) => at < Infinity)].sort(
    (a, b) => a.at - b.at || Number(b.isCall) - Number(a.isCall),
  )
}

function lowestFree(used: bigint): bigint {
  let bit = 1n
  while (used & bit) bit <<= 1n
  return bit
}

/**
 * Returns the configurations after an operation. Any pending operations may
 * come before the operation.
 */
function linearize<T extends Operation>(
  operation: T,
  frontier: readonly Configuration[],
  bits: ReadonlyMap<T, bigint>,
  unanswered: bigint,
): Configuration[] {
  const ownBit = bits.get(operation) as bigint
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
      const state = other.step(current.state)
      if (state !== undefined) visit({ state, done: current.done | bit })
    }
  }
  return result.all()
}

/**
 * Adds the pending reads that the state explains. Reads change nothing, so
 * doing them early excludes no order.
 */
function withReads<T extends Operation>(
  { state, done }: Configuration,
  bits: ReadonlyMap<T, bigint>,
): Configuration {
  let next = done
  for (const [operation, bit] of bits) {
    const isDue =
      operation.isRead &&
      !(next & bit) &&
      isReady(operation, { done: next }, bits)
    if (isDue && operation.step(state) !== undefined) next |= bit
  }
  return { state, done: next }
}

/**
 * Returns whether the earlier operation of the same request, if any, is no
 * longer pending.
 */
function isReady(
  { after }: Operation,
  { done }: Pick<Configuration, 'done'>,
  bits: ReadonlyMap<Operation, bigint>,
): boolean {
  const bit = after && bits.get(after)
  return bit === undefined || (done & bit) !== 0n
}

/**
 * Collects configurations. Of two that differ only in operations without a
 * response, keeps the one with fewer of those.
 */
function createFrontier(unanswered: bigint) {
  const byKey = new Map<string, Configuration[]>()
  return {
    /** Adds a configuration. Returns whether it is new. */
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

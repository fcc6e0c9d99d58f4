/** A team, a role or a user as the service answers it. */
export interface Thing {
  readonly id: string
  readonly [field: string]: unknown
}

/** As it is, or undefined where there is none. */
export type State = Thing | undefined

/** Stands for an id that nobody was told. */
export const ANY_ID = '?'

interface Counts {
  answered: number
  refused: number
  /** Nobody was told whether they took place: the connection broke, or the answer was a 503. */
  cut: number
  unavailable: number
  /** Of these, those that did. */
  tookPlace: number
}

export interface Ledger {
  readonly counts: Counts
  /** What was not as it must be; lost are answered writes, torn is everything that nobody asked for in this shape. */
  readonly lost: string[]
  readonly torn: string[]
  /** The one state that a thing is in by all that clients were told; undefined while that is not certain. */
  sure(key: string): State
  answered(key: string, expected: State, told: State): void
  /** Nobody was told whether the thing has become `after`. */
  unknown(key: string, after: State): void
  /** Compares everything that is stored, by key, with what clients were told; from then on what is stored counts. */
  compare(stored: ReadonlyMap<string, Thing>): void
}

interface Entry {
  /** In one of these it must be: in several while an answer is missing. */
  possible: State[]
  /** What it was in the past: to find it so again is to have lost a write. */
  readonly past: Set<string>
}

/** Keeps what clients were told of each thing. */
export function createLedger(): Ledger {
  const entries = new Map<string, Entry>()
  const counts = { answered: 0, refused: 0, cut: 0, unavailable: 0, tookPlace: 0 }
  const lost: string[] = []
  const torn: string[] = []

  function entryOf(key: string): Entry {
    const entry = entries.get(key) ?? { possible: [undefined], past: new Set() }
    entries.set(key, entry)
    return entry
  }

  function settle(key: string, state: State): void {
    const entry = entryOf(key)
    for (const before of entry.possible) entry.past.add(text(before))
    entry.past.delete(text(state))
    entry.possible = [state]
  }

  return {
    counts,
    lost,
    torn,
    sure(key) {
      const { possible } = entryOf(key)
      return possible.length === 1 ? possible[0] : undefined
    },
    answered(key, expected, told) {
      counts.answered += 1
      if (!same(expected, told)) torn.push(`${key} was answered as ${text(told)}, not ${text(expected)}`)
      settle(key, told)
    },
    unknown(key, after) {
      entryOf(key).possible.push(after)
    },
    compare(stored) {
      for (const [key, { possible, past }] of entries) {
        const found = stored.get(key)
        const at = possible.findIndex((state) => same(state, found))
        if (at > 0) counts.tookPlace += 1
        if (at < 0) {
          const what = `${key} is ${text(found)}, not ${possible.map(text).join(' or ')}`
          if (past.has(text(found))) lost.push(what)
          else torn.push(what)
        }
        settle(key, found)
      }
      for (const [key, thing] of stored) {
        if (!entries.has(key)) torn.push(`${key} is ${text(thing)}, and nobody asked for it`)
      }
    },
  }
}

const text = (state: State) => (state === undefined ? 'not there' : JSON.stringify(state))

function same(expected: State, found: State): boolean {
  if (expected === undefined || found === undefined) return expected === found
  return text(expected) === text(expected.id === ANY_ID ? { ...found, id: ANY_ID } : found)
}

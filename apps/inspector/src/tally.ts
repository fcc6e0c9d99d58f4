import type { Finding } from './find-all.ts'

export interface TypeCount {
  readonly name: string
  ids: number
  /** The number of texts that only look like an id of this type. */
  invalid: number
}

/** Which rows to show: those with an id of one of the types, or with a text that only looks like an id; or all rows. */
export interface Filter {
  readonly types: readonly number[]
  readonly invalid: boolean
}

/** Limits the memory for a log with many different prefixes. The ids of further types are counted together. */
const MAX_TYPES = 1000
const OTHER_TYPES = 'other types'

/** Counts the ids of a log by type, and finds the rows that a filter shows. */
export function createTally() {
  const types: TypeCount[] = []
  const numbers = new Map<string, number>()
  const rowOf: number[] = [] // the row of each id, in ascending order
  const typeOf: number[] = [] // its type, or -1 - type for a text that only looks like an id
  let filter: Filter | undefined
  let filtered: number[] = [] // the rows that the filter shows

  function findType(name: string): number {
    const known = numbers.get(name)
    if (known !== undefined) return known
    if (types.length >= MAX_TYPES && name !== OTHER_TYPES) return findType(OTHER_TYPES)
    // A part of a string keeps the whole string in memory. This makes a copy.
    const copy = JSON.parse(JSON.stringify(name)) as string
    numbers.set(copy, types.length)
    return types.push({ name: copy, ids: 0, invalid: 0 }) - 1
  }

  function show(index: number): void {
    const type = typeOf[index] as number
    const row = rowOf[index] as number
    const isShown =
      type < 0 ? filter?.invalid || filter?.types.includes(-1 - type) : filter?.types.includes(type)
    if (isShown && filtered.at(-1) !== row) filtered.push(row)
  }

  return {
    types: types as readonly TypeCount[],
    findType,

    add(row: number, { type: name, text, id }: Finding): void {
      const type = findType(name)
      const count = types[type] as TypeCount
      const isInvalid = text !== id
      if (isInvalid) count.invalid++
      else count.ids++
      rowOf.push(row)
      typeOf.push(isInvalid ? -1 - type : type)
      if (filter) show(rowOf.length - 1)
    },

    filter(next: Filter | undefined): void {
      filter = next
      filtered = []
      if (next) for (let index = 0; index < rowOf.length; index++) show(index)
    },

    /** Returns the number of rows that the filter shows, or undefined if there is no filter. */
    shown: () => (filter ? filtered.length : undefined),

    /** Returns the numbers of `count` shown rows, from the one at the index `first`. */
    shownRows: (first: number, count: number): number[] =>
      filter
        ? filtered.slice(first, first + Math.max(0, count))
        : Array.from({ length: Math.max(0, count) }, (_, index) => first + index),

    /** Returns the index of the next shown row with an id after (1) or before (-1) the one at `index`, if there is one. */
    findNeighbour(index: number, step: 1 | -1): number | undefined {
      if (filter) return index + step >= 0 && index + step < filtered.length ? index + step : undefined
      const at = findFirst(rowOf, step > 0 ? index + 1 : index)
      return step > 0 ? rowOf[at] : rowOf[at - 1]
    },
  }
}

/** Returns the index of the first of the ascending numbers that is at least `minimum`. */
function findFirst(numbers: readonly number[], minimum: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] as number) < minimum) low = middle + 1
    else high = middle
  }
  return low
}

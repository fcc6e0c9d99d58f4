import type { Finding } from './find-all.ts'
import { findKey } from './value.ts'

export interface TypeCount {
  readonly name: string
  ids: number
  /** The number of strings that only look like an id of this type. */
  invalid: number
}

/**
 * Which rows to show. `types` selects rows with an id of one of the types, `invalid` rows with a string that only looks
 * like an id; without both, all rows are selected. `text` keeps the rows that contain it, an id in any form.
 */
export interface Filter {
  readonly types: readonly number[]
  readonly invalid: boolean
  readonly text?: string
}

/** The number of occurrences of an id, and the lines of the first and the last one. */
export interface Occurrences {
  count: number
  first: number
  last: number
}

/** Limits the memory for a log with many different prefixes. The ids of further types are counted together. */
const MAX_TYPES = 1000
const OTHER_TYPES = 'other types'

/** Counts the ids of a log by type, and finds the rows that a filter shows. */
export function createTally() {
  const types: TypeCount[] = []
  const numbers = new Map<string, number>()
  // Lists with one element for each id in the log:
  const rowOf = createList(Int32Array) // the row of each id, in ascending order
  const lineOf = createList(Int32Array)
  const typeOf = createList(Int16Array) // the number of its type, or -1 - number for a look-alike
  const keyOf = createList(Float64Array) // the key of each id
  let filter: Filter | undefined
  let filtered: number[] = [] // the rows that the filter shows

  function findType(name: string): number {
    const known = numbers.get(name)
    if (known !== undefined) return known
    if (types.length >= MAX_TYPES && name !== OTHER_TYPES) return findType(OTHER_TYPES)
    // A substring keeps its parent string alive in V8. Copies it, so that the parent can be freed.
    const copy = JSON.parse(JSON.stringify(name)) as string
    numbers.set(copy, types.length)
    return types.push({ name: copy, ids: 0, invalid: 0 }) - 1
  }

  function show(index: number): void {
    const type = typeOf.at(index)
    const row = rowOf.at(index)
    const isShown =
      type < 0 ? filter?.invalid || filter?.types.includes(-1 - type) : filter?.types.includes(type)
    if (isShown && filtered.at(-1) !== row) filtered.push(row)
  }

  return {
    types: types as readonly TypeCount[],
    findType,
    keyAt: keyOf.at,

    add(row: number, line: number, { type: name, text, id }: Finding): void {
      const type = findType(name)
      const count = types[type] as TypeCount
      const isInvalid = text !== id
      if (isInvalid) count.invalid++
      else count.ids++
      rowOf.push(row)
      lineOf.push(line)
      typeOf.push(isInvalid ? -1 - type : type)
      keyOf.push(findKey(type, id))
      if (filter && !filter.text) show(rowOf.size() - 1)
    },

    /** Sets the filter. `withText` are the rows that contain `text` of the filter, in ascending order. */
    filter(next: Filter | undefined, withText?: ReadonlySet<number>): void {
      filter = next
      filtered = []
      const hasTypes = next && (next.invalid || next.types.length > 0)
      if (hasTypes) for (let index = 0; index < rowOf.size(); index++) show(index)
      if (withText) filtered = hasTypes ? filtered.filter((row) => withText.has(row)) : [...withText]
    },

    /** Returns the number of rows that the filter shows, or undefined if there is no filter. */
    shown: () => (filter ? filtered.length : undefined),

    /** Returns the row numbers of `count` shown rows, starting at the index `first`. */
    shownRows: (first: number, count: number): number[] =>
      filter
        ? filtered.slice(first, first + Math.max(0, count))
        : Array.from({ length: Math.max(0, count) }, (_, index) => first + index),

    /**
     * Returns the index of the nearest shown row with an id after (1) or before (-1) the row at `index`, or undefined.
     * With `key`, only rows with that id count.
     */
    findNeighbour(index: number, step: 1 | -1, key?: number): number | undefined {
      const row = filter && index >= 0 ? (filtered[index] ?? Number.POSITIVE_INFINITY) : index
      let at = findFirst(rowOf.size(), rowOf.at, step > 0 ? row + 1 : row) + (step > 0 ? 0 : -1)
      for (; at >= 0 && at < rowOf.size(); at += step) {
        const found = rowOf.at(at)
        if (key !== undefined && keyOf.at(at) !== key) continue
        const shown = filter ? findFirst(filtered.length, (index) => filtered[index] as number, found) : found
        if (!filter || filtered[shown] === found) return shown
      }
      return undefined
    },

    /** Returns the rows with an id. */
    findRows(key: number): Set<number> {
      const rows = new Set<number>()
      for (let index = 0; index < rowOf.size(); index++)
        if (keyOf.at(index) === key) rows.add(rowOf.at(index))
      return rows
    },

    /** Returns the occurrences of all ids in the shown rows, or of one id in the whole log, by key. */
    findOccurrences(key?: number): Map<number, Occurrences> {
      const rows = key === undefined && filter && new Set(filtered)
      const found = new Map<number, Occurrences>()
      for (let index = 0; index < rowOf.size(); index++) {
        const value = keyOf.at(index)
        if ((key !== undefined && value !== key) || (rows && !rows.has(rowOf.at(index)))) continue
        const last = lineOf.at(index)
        const known = found.get(value)
        if (!known) found.set(value, { count: 1, first: last, last })
        else {
          known.count++
          known.last = last
        }
      }
      return found
    },

    /** Returns the number of different ids. A hash table of keys takes half of the time of sorting the keys. */
    countDistinct(): number {
      const slots = new Float64Array(2 ** Math.ceil(Math.log2(keyOf.size() * 2 + 2)))
      let count = 0
      for (let index = 0; index < keyOf.size(); index++) {
        const key = keyOf.at(index) || 1 // 0 is an empty slot
        let slot = key % slots.length
        while (slots[slot] !== 0 && slots[slot] !== key) slot = (slot + 1) % slots.length
        if (slots[slot] === 0) count++
        slots[slot] = key
      }
      return count
    },
  }
}

/** Returns the index of the first number that is at least `minimum`, by binary search in `size` ascending numbers. */
function findFirst(size: number, at: (index: number) => number, minimum: number): number {
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(middle) < minimum) low = middle + 1
    else high = middle
  }
  return low
}

const PART = 0x1_0000

/** Returns a list of numbers in parts. A growing array would be copied, which takes as much memory again. */
function createList(Part: new (length: number) => { [index: number]: number }) {
  const parts: { [index: number]: number }[] = []
  let size = 0
  return {
    size: () => size,
    at: (index: number) => parts[Math.floor(index / PART)]?.[index % PART] as number,
    push(value: number): void {
      if (size % PART === 0) parts.push(new Part(PART))
      ;(parts[parts.length - 1] as { [index: number]: number })[size++ % PART] = value
    },
  }
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.round((sorted.length - 1) * q)] ?? Number.NaN
}

export type Counts = Record<string, number>

export function count(counts: Counts, key: string | number, amount = 1): void {
  counts[key] = (counts[key] ?? 0) + amount
}

export function addCounts(total: Counts, counts: Counts): void {
  for (const [key, amount] of Object.entries(counts)) count(total, key, amount)
}

export const sum = (counts: Counts, pattern = /^/): number =>
  Object.entries(counts).reduce(
    (total, [key, value]) => total + (pattern.test(key) ? value : 0),
    0,
  )

export const formatCounts = (counts: Counts): string =>
  Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value}`)
    .join(', ')

/** Returns a generator of numbers from 0 to 1 (Mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

export const round = (value: number, digits = 0): number =>
  Number(value.toFixed(digits))

export const shuffle = <T>(values: Iterable<T>, random: () => number): T[] =>
  Array.from(values, (value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value)

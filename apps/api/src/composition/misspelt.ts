import { VARIABLES } from './variables.ts'

/** Returns variables that the service does not read, but whose names are similar to names of variables it reads. */
export function findMisspelt(env: Readonly<Record<string, string | undefined>>) {
  const known = Object.keys(VARIABLES)
  return Object.keys(env)
    .filter((name) => !known.includes(name))
    .flatMap((variable) => {
      const expected = known.find((name) => distance(variable, name) <= (name.length < 8 ? 1 : 2))
      return expected === undefined ? [] : [{ variable, expected }]
    })
}

/**
 * Returns the number of letters to insert, delete, replace or swap with the next one. This is the optimal string
 * alignment distance, a restricted form of the Damerau-Levenshtein distance.
 *
 * @example
 * distance('DATABASE_ULR', 'DATABASE_URL') // 1
 */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Number.POSITIVE_INFINITY
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, n) => n)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(replaced, swapped, at(i - 1, j) + 1, at(i, j - 1) + 1))
    }
  }
  return at(a.length, b.length)
}

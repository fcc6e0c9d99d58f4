/** Returns the edit distance of two words (Levenshtein, 1966). */
export function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++)
      next.push(
        Math.min(
          (row[j] as number) + (letter === b[j] ? 0 : 1),
          (row[j + 1] as number) + 1,
          (next[j] as number) + 1,
        ),
      )
    row = next
  }
  return row[b.length] as number
}

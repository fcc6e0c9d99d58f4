/** Converts a pattern to a GLOB, which is always anchored and has no repetition: `[0-9]{2}` becomes `[0-9][0-9]`. */
export function patternToGlob(pattern: string): string {
  return pattern
    .slice(1, -1)
    .replace(/(\[[^\]]+\])\{(\d+)\}/g, (_, set: string, times: string) => set.repeat(Number(times)))
}

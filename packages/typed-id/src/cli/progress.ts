import type { Output } from './filter.ts'

const EVERY_MS = 200
const CLEAR_LINE = '\r\x1b[K'

/** Puts the progress line around what else goes to stderr. */
export interface Progress {
  /** What to write after so many lines, `complaints` included. */
  after(lines: number, complaints: string): string
  end(summary: string): string
}

/** A line on a terminal that says how far the work has come; it stays away when the ids go to the terminal themselves. */
export function progressOn(stderr: Output, stdout: Output): Progress {
  if (!stderr.isTTY || stdout.isTTY) {
    return { after: (_, complaints) => complaints, end: (summary) => summary }
  }
  const start = performance.now()
  let last = start
  return {
    after(lines, complaints) {
      const now = performance.now()
      if (complaints === '' && now - last < EVERY_MS) return ''
      last = now
      const rate = (lines / (now - start) / 1000).toFixed(1)
      return `${CLEAR_LINE}${complaints}${lines.toLocaleString('en')} lines, ${rate} million a second`
    },
    end: (summary) => (last === start ? summary : `${CLEAR_LINE}${summary}`),
  }
}

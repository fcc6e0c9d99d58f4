import type { Output } from './filter.ts'

const EVERY_MS = 200

/**
 * Returns what to write to a terminal after so many lines: now and then a line that replaces the one before, else
 * nothing. It stays silent when the ids go to the terminal themselves.
 */
export function progressOn(stderr: Output, stdout: Output): (lines: number) => string {
  if (!stderr.isTTY || stdout.isTTY) return () => ''
  const start = performance.now()
  let last = start
  return (lines) => {
    const now = performance.now()
    if (now - last < EVERY_MS) return ''
    last = now
    const rate = (lines / (now - start) / 1000).toFixed(1)
    return `\r\x1b[K${lines.toLocaleString('en')} lines, ${rate} million a second\r`
  }
}

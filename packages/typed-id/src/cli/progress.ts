import type { Output } from './terminal.ts'

const INTERVAL_MS = 200
const CLEAR_LINE = '\r\x1b[K'

/** Builds the output for stderr. The progress line is always the last line, below all error messages. */
interface Progress {
  /** Returns the errors of the latest chunk, followed by the progress line when it is due. */
  update(lines: number, errors: string): string
  /** Removes the progress line and returns the summary. */
  end(summary: string): string
}

/** Shows progress only if stderr is a terminal and stdout is not. In one terminal, the line would mix with the ids. */
export function createProgress(stderr: Output, stdout: Output): Progress {
  if (!stderr.isTTY || stdout.isTTY) {
    return { update: (_, errors) => errors, end: (summary) => summary }
  }
  const start = performance.now()
  let last = start
  return {
    update(lines, errors) {
      const now = performance.now()
      if (errors === '' && now - last < INTERVAL_MS) return ''
      last = now
      const rate = (lines / (now - start) / 1000).toFixed(1)
      return `${CLEAR_LINE}${errors}${lines.toLocaleString('en')} lines, ${rate} million per second`
    },
    end: (summary) => (last === start ? summary : `${CLEAR_LINE}${summary}`),
  }
}

/** Receives the progress of a command that works on rows. */
type OnProgress = (progress: { phase: string; done: number; total: number }) => void

const WIDTH = 30

/** Returns a function that draws a progress bar in one line of a terminal, and nothing on other outputs. */
export function progressBar(
  terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  unit = 'rows',
): OnProgress {
  if (!terminal.isTTY) return () => {}
  return ({ phase, done, total }) => {
    const share = total === 0 ? 1 : done / total
    const filled = Math.round(share * WIDTH)
    const bar = `${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}`
    const percent = `${Math.floor(share * 100)}`.padStart(3)
    terminal.write(
      `\r${phase.padEnd(8)} [${bar}] ${percent} % of ${total} ${unit}${done === total ? '\n' : ''}`,
    )
  }
}

const WIDTH = 30

/** Draws a progress bar in one line of a terminal, and nothing on other outputs. */
export function progressBar(terminal: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>, unit: string) {
  let isUnfinished = false
  return {
    draw({ phase, done, total }: { phase: string; done: number; total: number }): void {
      if (!terminal.isTTY) return
      const share = total === 0 ? 1 : done / total
      const filled = Math.round(share * WIDTH)
      const bar = `${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}`
      const percent = `${Math.floor(share * 100)}`.padStart(3)
      isUnfinished = done < total
      terminal.write(
        `\r${phase.padEnd(8)} [${bar}] ${percent} % of ${total} ${unit}${isUnfinished ? '' : '\n'}`,
      )
    },
    /** Ends the line of an unfinished bar, so that an error message starts on a new line. */
    end(): void {
      if (isUnfinished) terminal.write('\n')
    },
  }
}

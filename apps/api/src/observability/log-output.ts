import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import sonicBoom from 'sonic-boom'

/** Maximum bytes of log lines in memory, about 8,000 lines. Further lines are dropped while output is blocked. */
const BUFFER_LIMIT = 1024 * 1024

/** Characters of log lines that are passed on before a turn of the event loop ends, so that no turn fills the buffer. */
const TURN_LIMIT = BUFFER_LIMIT / 16

/** Maximum time that `close` waits for standard output, in milliseconds. */
const FLUSH_TIMEOUT_MS = 1000

export type LogOutput = ReturnType<typeof createLogOutput>

/**
 * Writes log lines to standard output without ever blocking or failing the service. Lines wait in a bounded buffer
 * while the reader is slow or the disk is full. Lines above the limit are dropped and counted.
 *
 * The lines of one turn of the event loop are passed on together: each write costs a task of libuv's pool, and all of them
 * a tenth of the processor time of GET /teams/{team_id}.
 */
export function createLogOutput(stdout: { readonly fd: number }, format = (line: string) => line) {
  // Access to process.stdout makes a pipe non-blocking. In a blocking pipe whose reader has stopped, a write would
  // occupy a thread of libuv's pool forever. Node joins its threads at exit, so the process would not end.
  const output = new sonicBoom.SonicBoom({ fd: stdout.fd, sync: false, maxLength: BUFFER_LIMIT })
  let dropped = 0
  let isPending = false
  let turn = ''
  output.on('drop', (lines: string) => {
    dropped += lines.split('\n').length - 1
  })
  // After a failed write (disk full, reader gone), the data stays in the buffer until the next line.
  output.on('error', () => {})
  output.on('drain', () => {
    isPending = false
  })
  function flushTurn(): void {
    if (turn !== '') output.write(turn)
    turn = ''
  }
  function print(text: string): void {
    isPending = true
    if (turn === '') setImmediate(flushTurn)
    turn += text
    if (turn.length > TURN_LIMIT) flushTurn()
  }
  return {
    write: (line: string) => print(format(line)),
    /** Writes a string that is not a log line. */
    print,
    /** Returns the number of lines dropped since the start. */
    droppedLines: () => dropped,
    /** Writes the buffered lines. Gives up after a second, so a stopped reader cannot delay the exit for longer. */
    async close() {
      flushTurn()
      const deadline = pause(FLUSH_TIMEOUT_MS)
      if (isPending) await Promise.race([once(output, 'drain').catch(() => {}), deadline])
    },
  }
}

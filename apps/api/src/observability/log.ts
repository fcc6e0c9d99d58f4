import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type DestinationStream,
  type Logger,
  pino,
  stdTimeFunctions,
} from 'pino'
import sonicBoom from 'sonic-boom'

/**
 * Creates a logger that writes JSON lines. Without a destination, it discards
 * them.
 */
export const createLog = (
  level: string,
  destination: DestinationStream = { write() {} },
): Logger =>
  pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: serializeError },
    },
    destination,
  )

/**
 * Keeps the fields of an error that are safe to log. The other fields of a
 * driver's error quote the row, even password hashes.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: 'not an error object' }
  const { name, message, stack, cause, code } = error as NodeJS.ErrnoException
  return {
    name,
    message,
    code,
    stack,
    ...(cause !== undefined && { cause: serializeError(cause) }),
  }
}

/**
 * Returns a function that makes a JSON line readable for people: a request is
 * one line, such as `GET /teams 200 1.3 ms`. Imports its package when it is
 * called.
 */
export async function createPrettyFormat(
  colorize: boolean,
): Promise<(line: string) => string> {
  const { default: pinoPretty } = await import('pino-pretty')
  return pinoPretty.prettyFactory({
    colorize,
    ignore: 'pid,method,route,status,ms,request_id',
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    messageFormat: ({ method, route, status, ms, msg }) =>
      typeof ms === 'number'
        ? `${method} ${route} ${status ?? ''} ${ms.toFixed(1)} ms`
        : String(msg),
  })
}

/**
 * Maximum bytes of log lines in memory, about 8,000 lines. Further lines are
 * dropped while output is blocked.
 */
export const BUFFER_LIMIT = 1024 * 1024

const CLOSE_TIMEOUT_MS = 1000

export type LogOutput = ReturnType<typeof createLogOutput>

/**
 * Writes to standard output without ever blocking or failing the service: see
 * `BUFFER_LIMIT`.
 */
export function createLogOutput(
  stdout: { readonly fd: number },
  format = (line: string) => line,
) {
  // Access to process.stdout makes a pipe non-blocking. In a blocking pipe
  // whose reader has stopped, a write would occupy a thread of libuv's pool
  // forever. Node joins its threads at exit, so the process would not end.
  // pino.destination() would flush at exit, and wait for a stopped reader
  // forever.
  const output = new sonicBoom.SonicBoom({
    fd: stdout.fd,
    sync: false,
    maxLength: BUFFER_LIMIT,
  })
  // After a failed write (disk full, reader gone), the data stays in the buffer
  // until the next line.
  output.on('error', () => {})
  return {
    write(line: string): void {
      output.write(format(line))
    },
    /** Writes a string that is not a log line, such as the help. */
    print(text: string): void {
      output.write(text)
    },
    /**
     * Writes the buffered lines. Gives up after a second, so a stopped reader
     * cannot delay the exit for longer.
     */
    async close(): Promise<void> {
      output.end()
      await Promise.race([
        once(output, 'close').catch(() => {}),
        pause(CLOSE_TIMEOUT_MS),
      ])
    },
  }
}

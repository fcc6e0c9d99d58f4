import { type DestinationStream, type Logger, pino } from 'pino'

/** Creates a logger that writes JSON lines, or discards them when there is no destination. */
export function createLog(level: string, destination: DestinationStream = { write() {} }): Logger {
  const timestamp = createTimestamp()
  return pino(
    { level, base: { pid: process.pid }, timestamp, serializers: { err: serializeError } },
    destination,
  )
}

/** Like pino's `isoTime`, but formats each millisecond once. Formatting takes 0.6 of the 1.5 µs of a line. */
function createTimestamp(): () => string {
  let latest = Number.NaN
  let timestamp = ''
  return () => {
    const now = Date.now()
    if (now !== latest) {
      latest = now
      timestamp = `,"time":"${new Date(now).toISOString()}"`
    }
    return timestamp
  }
}

/** Keeps the fields of an error that are safe to log. A driver's other fields quote the row, even hashes. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: 'not an error object' }
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  return { name, message, code, stack, ...(cause !== undefined && { cause: serializeError(cause) }) }
}

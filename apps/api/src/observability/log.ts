import { type DestinationStream, type Logger, pino } from 'pino'

/** Creates a log of JSON lines, which are discarded when there is no destination. */
export function createLog(level: string, destination: DestinationStream = { write() {} }): Logger {
  const timestamp = pino.stdTimeFunctions.isoTime
  return pino(
    { level, base: { pid: process.pid }, timestamp, serializers: { err: serializeError } },
    destination,
  )
}

/** Keeps the fields of an error that are safe to log: a driver's other fields quote the row, with e-mails and hashes. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: 'not an error object' }
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  return { name, message, code, stack, ...(cause !== undefined && { cause: serializeError(cause) }) }
}

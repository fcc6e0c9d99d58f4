import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

/** Creates a logger that writes JSON lines, or discards them without a destination. */
export const createLog = (level: string, destination: DestinationStream = { write() {} }): Logger =>
  pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: serializeError },
    },
    destination,
  )

/** Keeps the fields of an error that are safe to log. A driver's other fields quote the row, even hashes. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: 'not an error object' }
  const { name, message, stack, cause, code } = error as NodeJS.ErrnoException
  return { name, message, code, stack, ...(cause !== undefined && { cause: serializeError(cause) }) }
}

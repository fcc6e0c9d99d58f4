import { type DestinationStream, type Logger, pino } from 'pino'

/** JSON lines, on standard output unless told otherwise. */
export function createLog(level: string, destination: DestinationStream = pino.destination()): Logger {
  const timestamp = pino.stdTimeFunctions.isoTime
  return pino({ level, base: { pid: process.pid }, timestamp, serializers: { err: describe } }, destination)
}

/** What is safe to keep of an error: a driver's other fields quote the row, and with it e-mails and hashes. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: 'not an error object' }
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  return { name, message, code, stack, ...(cause !== undefined && { cause: describe(cause) }) }
}

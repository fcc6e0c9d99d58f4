import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type DestinationStream,
  type Logger,
  pino,
  stdTimeFunctions,
} from 'pino'
import sonicBoom from 'sonic-boom'

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
 * Omits the fields that database drivers add to errors, such as `detail`, which
 * can contain a row with a password hash.
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

export const BUFFER_LIMIT = 1024 * 1024

const CLOSE_TIMEOUT_MS = 1000

export type LogOutput = ReturnType<typeof createLogOutput>

export function createLogOutput(
  stdout: { readonly fd: number },
  format = (line: string) => line,
) {
  // Does not use `pino.destination()`, which would wait forever at exit for a
  // program that does not read the output.
  const output = new sonicBoom.SonicBoom({
    fd: stdout.fd,
    maxLength: BUFFER_LIMIT,
  })
  // Ignores a failed write, such as on a full disk, because sonic-boom writes
  // the data again with the next line.
  output.on('error', () => {})
  return {
    write(line: string): void {
      output.write(format(line))
    },
    print(text: string): void {
      output.write(text)
    },
    async close(): Promise<void> {
      output.end()
      await Promise.race([
        once(output, 'close').catch(() => {}),
        pause(CLOSE_TIMEOUT_MS),
      ])
    },
  }
}

import { start } from '../../src/commands/start.ts'
import { readConfig } from '../../src/config.ts'
import { OperatorError } from '../../src/errors.ts'
import { createLog } from '../../src/observability/log.ts'

export async function startAndStop(env: Record<string, string>): Promise<void> {
  const { promise: stopSignal, resolve } = Promise.withResolvers<string>()
  const write = (line: string) => {
    if (JSON.parse(line).msg === 'listening') resolve('SIGTERM')
  }
  const output = { write, print() {}, close: async () => {} }
  const log = createLog('info', output)
  await start(readConfig({ PORT: '0', ...env }, '/'), {
    log,
    output,
    stopSignal,
  })
}

/**
 * Returns the message of the OperatorError that a command throws. `main.ts`
 * prints the message, so it must be one line.
 */
export async function operatorErrorOf(
  running: Promise<unknown>,
): Promise<string> {
  const error = await running.then(
    () => new Error('expected an OperatorError, but the command succeeded'),
    (error: unknown) => error,
  )
  if (!(error instanceof OperatorError)) throw error
  if (error.message.includes('\n'))
    throw new Error(`expected one line, received ${error.message}`)
  return error.message
}

import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { start } from '../../src/commands/start.ts'
import { readConfig } from '../../src/composition/config.ts'
import { createLog } from '../../src/observability/log.ts'

test('"stopped" is the last line, also when a registration exceeds the time to stop', async () => {
  const { promise: stopSignal, resolve: stop } = Promise.withResolvers<string>()
  const { promise: url, resolve: onListening } = Promise.withResolvers<string>()
  const messages: string[] = []
  const write = (line: string) => {
    const { msg, url } = JSON.parse(line)
    messages.push(msg)
    if (msg === 'listening') onListening(url)
  }
  const output = { write, droppedLines: () => 0, close: async () => {} }
  const env = { PORT: '0', DATABASE_URL: 'sqlite::memory:', STOP_TIMEOUT_MS: '0', PASSWORD_HASHES: '1' }
  const running = start(readConfig(env, '/'), createLog('info', output), output, stopSignal)
  const register = async (n: number) => {
    const body = JSON.stringify({ email: `${n}@example.com`, name: 'x', password: 'x' })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${await url}/users`, { method: 'POST', headers, body }).catch(() => {})
  }
  const clients = Array.from({ length: 8 }, (_, n) => register(n))
  await expect.poll(() => messages).toContain('request completed')
  stop('SIGTERM')
  await running
  expect(messages.at(-1)).toBe('stopped')
  await Promise.all(clients)
  // The registrations in the queue are hashed one after another: each of these takes as long as one of them.
  for (let n = 0; n < 10; n += 1) await hash('x', { memoryCost: 19_456, timeCost: 2 })
  expect(messages.at(-1)).toBe('stopped')
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { databaseForTest } from 'testkit/engines.ts'
import { collect } from 'testkit/server.ts'
import { freePorts, sendRaw } from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'

const MAIN =
  process.env.BUNDLED_SERVICE ??
  fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/**
 * Starts the service with a standard output that this test controls, so it
 * cannot wait for the log to say "listening".
 */
async function startWithOutput(
  stdout: number | 'pipe',
  env: Record<string, string> = {},
) {
  const [port = 0] = await freePorts(1)
  const child = spawn(process.execPath, [MAIN], {
    env: {
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: 'sqlite::memory:',
      PORT: `${port}`,
      ALLOWED_HOSTS: '*', // the tests send `Host: x`
      STOP_TIMEOUT_MS: '500',
      ...env,
    },
    stdio: ['ignore', stdout, 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isReady).toBe(true)
  return {
    url,
    child,
    /**
     * Sends `count` requests, 500 per connection, and returns the number of
     * responses with status 200.
     */
    async request(count: number) {
      const get = 'GET /teams HTTP/1.1\r\nHost: x\r\n'
      const batch = `${`${get}\r\n`.repeat(499)}${get}Connection: close\r\n\r\n`
      let succeeded = 0
      for (let sent = 0; sent < count; sent += 500)
        succeeded +=
          (await sendRaw(port, batch)).match(/HTTP\/1\.1 200 OK/g)?.length ?? 0
      return succeeded
    },
    async stop() {
      child.kill('SIGTERM')
      const [code, signal] = await exited
      return code ?? signal
    },
  }
}

test('a full disk under standard output stops neither serving nor SIGTERM', async () => {
  const full = openSync('/dev/full', 'w')
  const service = await startWithOutput(full, {
    DATABASE_URL: await databaseForTest('sqlite-file'),
  })
  closeSync(full)
  expect(await service.request(1000)).toBe(1000)
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
  expect(await service.stop()).toBe(0)
})

/**
 * Twice as many lines as the service and the system buffer. No other request of
 * these tests writes a line.
 */
const REQUESTS = 20_000

test('a log reader that stands still loses lines, but delays neither requests nor SIGTERM', async () => {
  const service = await startWithOutput('pipe')
  const stdout = service.child.stdout as Readable
  expect(await service.request(REQUESTS)).toBe(REQUESTS)

  const text = collect(stdout)
  const lines = () => text().slice(0, text().lastIndexOf('\n')).split('\n')
  const completed = () =>
    lines().filter((line) => JSON.parse(line).msg === 'request completed')
      .length
  // At least the lines that waited in the buffer.
  await expect.poll(completed).toBeGreaterThan(4000)
  stdout.pause()
  expect(await service.request(REQUESTS)).toBe(REQUESTS)
  // Shows that the service does not wait for its reader forever.
  expect(await service.stop()).toBe(0)
  expect(completed()).toBeLessThan(REQUESTS)
})

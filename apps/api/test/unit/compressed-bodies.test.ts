import { sendRaw, statusesIn } from 'testkit/raw-http.ts'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../support/listen.ts'

test('a compressed body receives 415, and the connection then serves the next request', async () => {
  const service = await listen('a')
  onTestFinished(() => service.close())
  const body = 'x'.repeat(100_000)
  const head =
    'POST /teams HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n'
  const next = 'GET /teams HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  for (const framed of [
    `Content-Length: ${body.length}\r\n\r\n${body}`,
    `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ]) {
    expect(statusesIn(await sendRaw(service.port, head + framed + next))).toEqual([415, 200])
  }
})

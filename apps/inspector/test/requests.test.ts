import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openInspector, PLACES, startPlace } from './open-page.ts'

let target: string // the address of the server
let sent = 0
// Chromium opens a connection before it blocks a frame, and sends nothing: bytes count, connections do not.
const server = createServer((socket) => {
  socket
    .on('error', () => {})
    .once('data', () => {
      sent++
      socket.destroy()
    })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  target = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

/** Tries to send 8 requests from a page. Returns how many reach the server, and how many the policy blocks. */
async function tryToSend(url: string): Promise<{ sent: number; blocked: number }> {
  const { page } = await openInspector(url)
  sent = 0
  await page.evaluate(async (target) => {
    const add = (tag: string, values: object) =>
      document.body.append(Object.assign(document.createElement(tag), values))
    document.addEventListener('securitypolicyviolation', () => add('s', {}))
    const url = `http://${target}/`
    await fetch(url).catch(() => undefined)
    navigator.sendBeacon(url, 'text')
    const request = new XMLHttpRequest()
    request.open('GET', url)
    request.send()
    try {
      new WebSocket(`ws://${target}/`)
    } catch {} // Chromium throws
    add('img', { src: url })
    add('script', { src: url })
    add('link', { rel: 'stylesheet', href: url })
    add('iframe', { src: url })
  }, target)
  await expect.poll(async () => sent + (await page.locator('s').count())).toBeGreaterThanOrEqual(8)
  return { sent, blocked: await page.locator('s').count() }
}

test('8 ways to send a request reach a server from a page of the site', async () => {
  const url = await startPlace('/')
  expect(await tryToSend(new URL('index.html', url).href)).toEqual({ sent: 8, blocked: 0 })
})

test.each(PLACES)('none of them does from the inspector, opened from %s', async (place) => {
  expect(await tryToSend(await startPlace(place))).toEqual({ sent: 0, blocked: 8 })
})

import { createServer } from 'node:http'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from 'testkit/browser.ts'
import { type Running, startService } from 'testkit/process.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from '../../src/server/listen.ts'

/** A page of `localhost`, which is another site than `127.0.0.1`, and services that list it or do not. */
const pages = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>page'))
let closed: Running
let open: Running
let browser: Browser
let page: Page

beforeAll(async () => {
  const { port } = new URL(await listen(pages, { port: 0, host: '127.0.0.1' }))
  const origin = `http://localhost:${port}`
  closed = await startService({ DATABASE_URL: 'sqlite::memory:' })
  open = await startService({ DATABASE_URL: 'sqlite::memory:', CORS_ORIGIN: origin })
  browser = await launchBrowser()
  page = await browser.newPage()
  await page.goto(origin)
})

afterAll(async () => {
  await browser?.close()
  await Promise.all([closed?.stop(), open?.stop()])
  pages.close()
})

/** Creates a user and a role, and lets the page assign the role by a request for which browsers send no preflight. */
async function assignFromPage(service: Running, contentType: string | undefined) {
  const email = `${contentType?.length ?? 0}@example.com`
  const user = (await service.post('/users', { email, name: 'x', password: 'x' })).json
  const role = (await service.post('/roles', { name: email })).json
  const init = contentType && { headers: { 'content-type': contentType }, body: '{}' }
  await page.evaluate(([url, init]) => fetch(url, { method: 'POST', mode: 'no-cors', ...(init || {}) }), [
    `${service.url}/users/${user.id}/roles/${role.id}`,
    init,
  ] as const)
  const { roles } = (await service.get(`/users/${user.id}`)).json
  return roles.length
}

test.each([undefined, 'text/plain', 'application/x-www-form-urlencoded'])(
  'a page of another origin cannot assign a role by a request without preflight (%s), unless CORS_ORIGIN lists it',
  async (contentType) => {
    expect(await assignFromPage(closed, contentType)).toBe(0)
    expect(await assignFromPage(open, contentType)).toBe(1)
  },
)

import { createServer } from 'node:http'
import { launchBrowser } from 'testkit/browser.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { listenLocally } from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'

test('a page of a listed origin may send Authorization, and credentials only with CORS_CREDENTIALS', async () => {
  const pages = createServer((_, response) => response.end('a page'))
  onTestFinished(() => void pages.close().closeAllConnections())
  const origin = `http://localhost:${await listenLocally(pages)}`
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(origin)
  for (const [CORS_CREDENTIALS, included] of [
    ['false', 'TypeError'],
    ['true', 201],
  ] as const) {
    const { url } = await startServiceForTest({
      DATABASE_URL: 'sqlite::memory:',
      CORS_ORIGIN: origin,
      CORS_CREDENTIALS,
    })
    const send = (credentials: 'omit' | 'include') =>
      page.evaluate(
        async ([url, credentials]) => {
          const headers = {
            authorization: 'Bearer x',
            'content-type': 'application/json',
          }
          const init = { method: 'POST', headers, body: '{"name":"x"}' }
          return fetch(`${url}/teams`, { ...init, credentials }).then(
            (response) => response.status,
            (error) => error.name,
          )
        },
        [url, credentials] as const,
      )
    expect(await send('omit')).toBe(201)
    expect(await send('include')).toBe(included)
  }
})

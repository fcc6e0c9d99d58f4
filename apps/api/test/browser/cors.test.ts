import { createServer } from 'node:http'
import { launchBrowser } from 'testkit/browser.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { listenLocally } from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'

test.each([
  ['false', 'include', 'TypeError'],
  ['false', 'omit', 201],
  ['true', 'include', 201],
] as const)(
  'with CORS_CREDENTIALS=%s, a page of a listed origin that sends Authorization with credentials: %s receives %s',
  async (CORS_CREDENTIALS, credentials, outcome) => {
    const pages = createServer((_, response) => response.end('a page'))
    onTestFinished(() => {
      pages.close()
      pages.closeAllConnections()
    })
    const origin = `http://localhost:${await listenLocally(pages)}`
    const { url } = await startServiceForTest({
      DATABASE_URL: 'sqlite::memory:',
      CORS_ORIGIN: origin,
      CORS_CREDENTIALS,
    })
    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.goto(origin)
    const status = await page.evaluate(
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
    expect(status).toBe(outcome)
  },
)

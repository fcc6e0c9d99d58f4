import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions } from 'playwright-core'
import { launchBrowser } from 'testkit/browser.ts'
import { serve } from 'testkit/serve.ts'
import { afterAll, onTestFinished } from 'vitest'

export const PAGE = new URL('../dist/inspector.html', import.meta.url)

/** Where the inspector is opened from: the disk, or a path on a host. */
export const PLACES = ['file', '/docs/typed-id/']

const browser = await launchBrowser()
afterAll(() => browser.close())

export async function startPlace(place: string): Promise<string> {
  if (place === 'file') return PAGE.href
  const { url, close } = await serve(fileURLToPath(new URL('.', PAGE)), place)
  onTestFinished(close)
  return `${url}inspector.html`
}

/**
 * Opens the inspector in a new browser context until the end of the test, and
 * records every request and every error.
 */
export async function openInspector(
  url: string,
  options: BrowserContextOptions = {},
) {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    timezoneId: 'Europe/Berlin',
    ...options,
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const requests: string[] = []
  const problems: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on(
    'console',
    (message) => message.type() === 'error' && problems.push(message.text()),
  )
  await page.goto(url)
  return {
    page,
    requests,
    problems,
    input: page.getByLabel('Id', { exact: true }),
  }
}

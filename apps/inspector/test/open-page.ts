import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { serve } from 'testkit/serve.ts'

/** The page, as `pnpm --filter inspector build` writes it. */
export const PAGE = new URL('../dist/inspector.html', import.meta.url)

/** The places that the file is opened from: the disk, and a host at two paths. */
export const PLACES = ['file', '/', '/docs/typed-id/'] as const

/** Returns the address of the inspector at a place. */
export async function startPlace(place: (typeof PLACES)[number]) {
  if (place === 'file') return { url: PAGE.href, close: () => {} }
  const { url, close } = await serve(fileURLToPath(new URL('.', PAGE)), place)
  return { url: `${url}inspector.html`, close }
}

/** Opens the inspector in a new context, and records every request and every problem. */
export async function openInspector(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  const requests: string[] = []
  const problems: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  await page.goto(url)
  return { page, requests, problems, input: page.getByLabel('Id, uuid, bytes or log') }
}

/** Returns the table of forms that the page shows, by name. */
export function readForms(page: Page): Promise<Record<string, string>> {
  return page.$$eval('.card:first-of-type dl > div', (rows) =>
    Object.fromEntries(
      rows.map((row) => [
        row.querySelector('dt')?.textContent ?? '',
        (row.querySelector('dd code') ?? row.querySelector('dd')?.firstChild)?.textContent ?? '',
      ]),
    ),
  )
}

/** Returns what a screen reader announces next. */
export const readStatus = (page: Page) => page.locator('#status').textContent()

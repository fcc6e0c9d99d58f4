import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launchBrowser, serveFolder } from 'testkit/browser.ts'
import { afterAll, onTestFinished } from 'vitest'

export const DIST = fileURLToPath(
  new URL('../.vitepress/dist/', import.meta.url),
)

export const PAGES = globSync('**/*.html', { cwd: DIST })
  .filter((file) => !['404.html', 'inspector.html'].includes(file))
  .sort()

export function watch(page: Page, url: string): string[] {
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on(
    'console',
    (message) => message.type() === 'error' && problems.push(message.text()),
  )
  page.on('response', (response) => {
    if (!response.ok() && response.status() !== 304)
      problems.push(`${response.status()} ${response.url()}`)
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url()))
      problems.push(`request to ${request.url()}`)
  })
  return problems
}

let browser: Promise<Browser> | undefined
afterAll(async () => (await browser)?.close())

export async function newPage(
  options: BrowserContextOptions = {},
  atEnd = onTestFinished,
): Promise<Page> {
  browser ??= launchBrowser()
  const page = await (await browser).newPage(options)
  atEnd(() => page.close())
  return page
}

export async function serveSite(atEnd = onTestFinished): Promise<string> {
  const { url, close } = await serveFolder(DIST, '/typed-id/')
  atEnd(close)
  return url
}

export async function openSite(path = '', options: BrowserContextOptions = {}) {
  const url = await serveSite()
  const page = await newPage(options)
  const problems = watch(page, url)
  await open(page, url + path)
  return { page, url, problems }
}

export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.waitForFunction(
    () => '__vue_app__' in (document.getElementById('app') ?? {}),
  )
}

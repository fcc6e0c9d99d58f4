import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'

/** The site, as `pnpm docs:build` writes it. */
export const DIST = fileURLToPath(new URL('../.vitepress/dist/', import.meta.url))

/** The pages that VitePress built, as paths in the site. */
export const PAGES = globSync('**/*.html', { cwd: DIST })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !['404.html', 'inspector.html'].includes(file))
  .sort()

/** Collects problems that no page may have: errors, responses other than 200, and requests to other hosts. */
export function watch(page: Page, url: string): string[] {
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('response', (response) => {
    if (!response.ok() && response.status() !== 304) problems.push(`${response.status()} ${response.url()}`)
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url()))
      problems.push(`request to ${request.url()}`)
  })
  return problems
}

/** Opens a page, and waits until Vue has hydrated it. */
export async function open(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.waitForFunction(() => '__vue_app__' in (document.getElementById('app') ?? {}))
}

/** Runs a task for each page of the site, in one tab. */
export async function forEachPage(
  browser: Browser,
  task: (page: Page, path: string) => Promise<void>,
  options = {},
): Promise<void> {
  const page = await browser.newPage(options)
  for (const path of PAGES) await task(page, path)
  await page.close()
}

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import axe from 'axe-core'
import { Hono } from 'hono'
import { type Browser, chromium, type Page } from 'playwright-core'

export const launchBrowser = (...args: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Chromium then starts no GPU process, which saves 5 % of the processor
      // time.
      '--in-process-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-sync',
      ...args,
    ],
  })

interface Input {
  readonly body?: unknown
  readonly parameters?: Readonly<Record<string, string>>
}

export async function tryItOut(
  page: Page,
  id: string,
  { body, parameters = {} }: Input = {},
) {
  const operation = page.locator(`[id^="operations-"][id$="-${id}"]`)
  if ((await operation.locator('.opblock-body').count()) === 0) {
    await operation.locator('.opblock-summary-control').click()
    await operation.getByRole('button', { name: 'Try it out' }).click()
  }
  for (const [name, value] of Object.entries(parameters))
    await operation.getByPlaceholder(name).fill(value)
  if (body !== undefined)
    await operation.locator('textarea').fill(JSON.stringify(body))
  const responding = page.waitForResponse(
    (response) => !/swagger|openapi|docs/.test(response.url()),
  )
  await operation.getByRole('button', { name: 'Execute' }).click()
  const response = await responding
  const live = operation.locator('.live-responses-table')
  await live
    .locator('.response-col_status', { hasText: String(response.status()) })
    .waitFor()
  return {
    url: response.url(),
    status: response.status(),
    // biome-ignore lint/suspicious/noExplicitAny: tests assert its shape.
    json: (await response.json()) as any,
    shown: (await live.textContent()) ?? '',
  }
}

const TAGS = [
  'wcag2a',
  'wcag2aa',
  'wcag21a',
  'wcag21aa',
  'wcag22aa',
  'best-practice',
]

export const RULES_OF_LOOKS = [
  'color-contrast',
  'link-in-text-block',
  'scrollable-region-focusable',
  'target-size',
]

/**
 * First waits until all animations end, because axe would check the contrast of
 * changing colours. A page with an endless animation needs `reducedMotion:
 * 'reduce'`.
 */
export async function findViolations(page: Page, rules?: readonly string[]) {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source)
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().map(({ finished }) => finished))',
  )
  const runOnly = rules
    ? { type: 'rule', values: rules }
    : { type: 'tag', values: TAGS }
  const resultTypes = ['violations']
  const options = JSON.stringify({ runOnly, resultTypes, preload: false })
  const results: axe.AxeResults = await page.evaluate(
    `axe.run(document, ${options})`,
  )
  const violations = results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id} at ${target.join(' ')}`),
  )
  return { violations, passed: results.passes.length }
}

export async function serveFolder(root: string, base: string) {
  const files = serveStatic({
    root,
    rewriteRequestPath: (path) => path.slice(base.length - 1),
    onFound: (_, c) => c.header('cache-control', 'max-age=600'),
  })
  const { fetch } = new Hono().use(`${base}*`, files)
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' })
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`,
    close(): void {
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
    },
  }
}

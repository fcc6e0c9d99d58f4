import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from 'testkit/browser.ts'
import { type Running, startService } from 'testkit/process.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let service: Running
let browser: Browser
let page: Page
const requests: string[] = []
const problems: string[] = []

beforeAll(async () => {
  service = await startService({ DATABASE_URL: 'sqlite::memory:' })
  browser = await launchBrowser()
  page = await browser.newPage()
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(service.url)
  await page.waitForSelector('.opblock')
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
})

test('/ shows the documentation with every operation of the document', async () => {
  expect(new URL(page.url()).pathname).toBe('/docs')
  // biome-ignore lint/suspicious/noExplicitAny: the document is tested elsewhere.
  const document: any = await (await fetch(`${service.url}/openapi.json`)).json()
  const documented = Object.entries<object>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const shown = await page.$$eval('.opblock', (blocks) =>
    blocks.map((block) => {
      const text = (selector: string) => block.querySelector(selector)?.textContent?.trim() ?? ''
      // Swagger UI puts zero-width spaces where a path may break.
      return `${text('.opblock-summary-method')} ${text('.opblock-summary-path').replaceAll('\u200b', '')}`
    }),
  )
  expect(shown.sort()).toEqual(documented.sort())
  expect(shown).toHaveLength(11)
})

test('a path parameter shows its pattern, and its example once it can be tried', async () => {
  const operation = page.locator('#operations-users-getUser')
  await operation.locator('.opblock-summary-control').click()
  await expect.poll(() => operation.locator('.parameters').textContent()).toContain('^user-[0-9a-f]{8}-')
  await operation.getByRole('button', { name: 'Try it out' }).click()
  expect(await operation.getByPlaceholder('user_id').inputValue()).toMatch(/^user-0190163d-8694/)
})

test('"Try it out" on POST /teams creates a team through the page', async () => {
  const operation = page.locator('#operations-teams-createTeam')
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.locator('textarea').fill('{"name":"Made in the browser"}')
  await operation.getByRole('button', { name: 'Execute' }).click()
  const live = operation.locator('.live-responses-table')
  await expect.poll(() => live.textContent().catch(() => '')).toContain('201')
  expect(await live.textContent()).toContain('Made in the browser')
  const teams = await (await fetch(`${service.url}/teams`)).json()
  expect(teams).toEqual([{ id: expect.stringMatching(/^team-/), name: 'Made in the browser' }])
})

test('no request left the machine, and the page had no error', () => {
  const hosts = new Set(requests.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin))
  expect([...hosts]).toEqual([service.url])
  expect(requests.length).toBeGreaterThan(4)
  expect(problems).toEqual([])
})

import { mkdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { findViolations, RULES_OF_LOOKS } from 'testkit/axe.ts'
import { expect, test } from 'vitest'
import { openInspector, PAGE, startPlace } from './open-page.ts'

const LOOKS = [
  { name: 'light', colorScheme: 'light', width: 1440 },
  { name: 'dark', colorScheme: 'dark', width: 1440 },
  { name: '320-light', colorScheme: 'light', width: 320 },
  { name: '320-dark', colorScheme: 'dark', width: 320 },
] as const

/** The states of the page, by how a person gets there. */
const STATES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  empty: async () => {},
  id: (page) => page.getByRole('button', { name: 'an id', exact: true }).click(),
  retyped: (page) => page.getByRole('button', { name: 'upper case' }).click(),
  made: async (page) => {
    await page.getByRole('button', { name: 'a uuid' }).click()
    await page.getByRole('button', { name: 'Make', exact: true }).click()
  },
  rejected: async (page) => {
    await page.getByLabel('Count').fill('0')
    await page.getByRole('button', { name: 'Make', exact: true }).click()
  },
  log: async (page) => {
    await page.getByRole('button', { name: 'a log' }).click()
    await page.locator('.id.invalid').first().click()
    await page.locator('#legend .chip').nth(1).click()
    await page.getByLabel('Find a text or an id').fill('teams')
    await page.locator('mark').first().waitFor()
  },
  'longest type': async (page) => {
    const id = (letter: string) => `${letter.repeat(63)}-0190163d-8694-739b-aea5-966c26f8ad91`
    await page.getByLabel('Id, uuid, bytes or log').fill(`${id('a')}\n${id('b')}`)
    await page.getByText('only in line 1').waitFor()
  },
}

/** Set SCREENSHOTS to a folder to keep a picture of each state and look. */
const folder = process.env.SCREENSHOTS

if (folder) mkdirSync(folder, { recursive: true })

test.each(Object.entries(STATES))(
  '%s violates no rule of WCAG 2.2 AA and is not wider than the screen, in both schemes and widths',
  async (state, enter) => {
    const { page, problems } = await openInspector(await startPlace('/'), {
      viewport: { width: 320, height: 900 },
    })
    await enter(page)
    for (const { name, colorScheme, width } of LOOKS) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      if (folder) await page.screenshot({ path: `${folder}/inspector-${state}-${name}.png`, fullPage: true })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      // The elements of a width are the same in both schemes.
      const isDark = colorScheme === 'dark'
      const { violations, passed } = await findViolations(page, isDark ? RULES_OF_LOOKS : undefined)
      expect(violations, name).toEqual([])
      expect(passed).toBeGreaterThan(isDark ? 1 : 20)
    }
    expect(problems).toEqual([])
  },
)

test('the file is below 60 kB', () => {
  const file = readFileSync(PAGE)
  const gzipped = gzipSync(file, { level: 9 }).length
  console.log(`inspector.html: ${file.length} bytes, ${gzipped} gzipped`)
  expect(file.length).toBeLessThan(60_000)
})

test('the policy allows the script and the style of the page by their hashes, and no request', () => {
  const file = readFileSync(PAGE, 'utf8')
  const policy = /Content-Security-Policy"? content="([^"]*)"/.exec(file)?.[1]?.split('; ')
  const hash = "'sha256-[\\w+/]{43}='"
  expect(policy).toEqual([
    "default-src 'none'",
    "connect-src 'none'",
    expect.stringMatching(`^script-src ${hash}$`),
    'worker-src blob:',
    expect.stringMatching(`^style-src ${hash}$`),
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
  ])
})

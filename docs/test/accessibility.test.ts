import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { findViolations, RULES_OF_LOOKS } from 'testkit/axe.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  DIST,
  newPage,
  open,
  openSite,
  PAGES,
  serveSite,
  watch,
} from './pages.ts'

/** Returns the main heading of a page as its file contains it. */
const headingOf = (path: string) =>
  /<h1[^>]*>(.*?)<\/h1>/s
    .exec(readFileSync(DIST + path, 'utf8'))?.[1]
    ?.replace(/<a .*|<[^>]+>/g, '')
    .trim()

/**
 * The pages whose code people read: the home page, the guide and the recipes.
 */
const hasCode = (path: string) => /^(index|recipes|guide)/.test(path)
const hasWideTables = (path: string) => /^(comparison|reliability)/.test(path)

/** What is wrong, as lines that begin with the path of a page. */
const found = { violations: [], wider: [], cut: [], unsized: [] } as Record<
  string,
  string[]
>
const reached: string[] = []
let blocks = 0
let problems: string[] = []

/**
 * Each page is opened once, by a click: V8 keeps the optimized code of axe,
 * which a reload would discard.
 */
beforeAll(async () => {
  const viewport = { width: 1280, height: 800 }
  const url = await serveSite(afterAll)
  const page = await newPage({ reducedMotion: 'reduce', viewport }, afterAll)
  problems = watch(page, url)
  await open(page, url)

  async function check(path: string) {
    expect(page.url()).toBe(url + path.replace(/(^|\/)index\.html$/, '$1'))
    reached.push(path)
    // The dark sidebar, and the light page of a phone, are the same on each
    // page.
    const isFirst = path === 'guide/start.html'
    await look('light', 1280)
    const { cut, unsized } = await measure(page)
    blocks += cut.length
    const wide = cut.filter(
      ({ tag, by }) =>
        by > 0 && (tag === 'PRE' ? hasCode : hasWideTables)(path),
    )
    found.cut?.push(...wide.map(({ text, by }) => `${path}, ${by} px: ${text}`))
    found.unsized?.push(...unsized.map((image) => `${path}: ${image}`))
    if (isFirst) await look('dark', 1280)
    await look('dark', 360, isFirst ? undefined : RULES_OF_LOOKS)
    if (isFirst) await look('light', 360)
    await page.setViewportSize(viewport)

    async function look(
      colorScheme: 'light' | 'dark',
      width: number,
      rules?: readonly string[],
    ) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await page.waitForFunction(
        (dark) => document.documentElement.classList.contains('dark') === dark,
        colorScheme === 'dark',
      )
      const name = `${path}, ${colorScheme}, ${width} px`
      const { violations } = await findViolations(page, rules)
      found.violations?.push(
        ...violations.map((violation) => `${name}: ${violation}`),
      )
      if (
        (await page.evaluate(() => document.documentElement.scrollWidth)) >
        width
      )
        found.wider?.push(name)
    }
  }

  await check('index.html')
  for (const [link, last] of [
    ['text=Start in 60 seconds', 'Storage'],
    ['.VPNavBarMenu >> text=Service', 'Operations'],
  ] as const) {
    await page.click(link)
    await page
      .locator(`.VPSidebar >> text=${last}`)
      .first()
      .waitFor({ state: 'attached' })
    const links = page.locator('.VPSidebar a')
    const hrefs = await links.evaluateAll((all) =>
      all.map((link) => (link as HTMLAnchorElement).href),
    )
    for (const [n, href] of hrefs.entries()) {
      const path = href.slice(url.length).replace(/(^|\/)$/, '$1index.html')
      await links.nth(n).click()
      await page.waitForURL(href)
      await page.locator('h1', { hasText: headingOf(path) as string }).waitFor()
      await check(path)
    }
  }
}, 600_000)

/**
 * Returns by how much code and tables are wider than their boxes, and the
 * images that would move the text below them.
 */
const measure = (page: Page) =>
  page.evaluate(() => ({
    cut: [...document.querySelectorAll('.vp-doc :is(pre, table)')].map(
      (box) => ({
        tag: box.tagName,
        text: box.textContent?.slice(0, 60),
        by: box.scrollWidth - box.clientWidth,
      }),
    ),
    unsized: [...document.querySelectorAll('main img')]
      .filter(
        (image) =>
          !image.hasAttribute('width') || !image.hasAttribute('height'),
      )
      .map((image) => image.getAttribute('alt')),
  }))

describe('the pages, light at 1280 px and dark at 360 px', () => {
  test('are all reached by clicks, without an error or a request to another host', () => {
    // The reference of each subpath is below its index.
    expect(reached.sort()).toEqual(
      PAGES.filter((path) => !/^reference\/typed-id/.test(path)),
    )
    expect(problems).toEqual([])
  })

  test('violate no rule of WCAG 2.2 AA', () =>
    expect(found.violations).toEqual([]))
  test('are not wider than the screen', () => expect(found.wider).toEqual([]))

  test('have no code or table that is cut off at 1280 px', () => {
    expect(blocks).toBeGreaterThan(60)
    expect(found.cut).toEqual([])
  })

  test('have no image without a size, so nothing moves when one is loaded', () => {
    expect(found.unsized).toEqual([])
  })
})

/** Returns the violations of a page, light and dark. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('html:not([class*=dark])').waitFor() // the page learns of the scheme
  const light = await findViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[class*=dark]').waitFor()
  await page.evaluate(async () => {
    await Promise.allSettled(
      document.getAnimations().map(({ finished }) => finished),
    )
  })
  const dark = await findViolations(page, RULES_OF_LOOKS)
  return [
    ...light.violations,
    ...dark.violations.map((violation) => `dark: ${violation}`),
  ]
}

test('neither the search nor the menus of a phone violate it', async () => {
  const viewport = { width: 360, height: 740 }
  const { page, url } = await openSite('guide/start.html', {
    reducedMotion: 'reduce',
    viewport,
  })
  await page.keyboard.press('Control+k')
  await page.locator('#localsearch-input:focus').waitFor()
  await page.keyboard.type('clock')
  await page.locator('.result.selected').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.locator('.VPSidebar.open').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await open(page, `${url}guide/start.html`)
  await page.locator('.VPNavBarHamburger').click()
  await page.locator('.VPNavScreen').waitFor()
  expect(await violationsOf(page)).toEqual([])
})

test('the page of an unknown address does not violate it', async () => {
  const { page, url } = await openSite('', { reducedMotion: 'reduce' })
  const path = `${url}nothing`
  await page.route(path, (route) => route.fulfill({ path: `${DIST}404.html` }))
  await open(page, path)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(await violationsOf(page)).toEqual([])
})

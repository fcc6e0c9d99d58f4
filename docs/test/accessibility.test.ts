import type { Page } from 'playwright-core'
import { findViolations, RULES_OF_LOOKS } from 'testkit/browser.ts'
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

const MUST_FIT = {
  pre: /^(index|recipes|guide)/,
  table: /^(comparison|reliability)/,
}

const violations: string[] = []
const wider: string[] = []
const cut: string[] = []
const unsized: string[] = []
const reached: string[] = []
let measured = 0
let problems: string[] = []

async function violationsIn(
  page: Page,
  colorScheme: 'light' | 'dark',
  rules?: readonly string[],
) {
  await page.emulateMedia({ colorScheme })
  const html = colorScheme === 'dark' ? '[class*=dark]' : ':not([class*=dark])'
  await page.locator(`html${html}`).waitFor()
  return (await findViolations(page, rules)).violations.map(
    (violation) => `${colorScheme}: ${violation}`,
  )
}

const violationsOf = async (page: Page) => [
  ...(await violationsIn(page, 'light')),
  ...(await violationsIn(page, 'dark', RULES_OF_LOOKS)),
]

/**
 * Visits each page by a click on a link, because a page load would make V8
 * compile the checker, axe, again.
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
    const note = (found: string[], texts: readonly string[]) =>
      found.push(...texts.map((text) => `${path}: ${text}`))
    const noteWidth = async (width: number) => {
      const scrolled = await page.evaluate(
        () => document.documentElement.scrollWidth,
      )
      note(wider, scrolled > width ? [`${width} px`] : [])
    }
    note(violations, await violationsIn(page, 'light'))
    await noteWidth(1280)
    for (const [tag, paths] of Object.entries(MUST_FIT))
      if (paths.test(path)) {
        const boxes = page.locator(`.vp-doc ${tag}`)
        measured += await boxes.count()
        note(cut, await boxes.evaluateAll(textOfCut))
      }
    const images = page.locator('main img:not([width][height])')
    note(unsized, await images.evaluateAll((all) => all.map(String)))
    await page.setViewportSize({ width: 360, height: 800 })
    note(violations, await violationsIn(page, 'dark', RULES_OF_LOOKS))
    await noteWidth(360)
    await page.setViewportSize(viewport)
  }

  await check('index.html')
  for (const [link, last] of [
    ['text=Start in 60 seconds', 'Storage'],
    ['.VPNavBarMenu >> text=Service', 'Backup'],
  ] as const) {
    await page.click(link)
    await page
      .locator(`.VPSidebar >> text=${last}`)
      .first()
      .waitFor({ state: 'attached' })
    const links = page.locator('.VPSidebar a')
    const entries = await links.evaluateAll((all) =>
      all.map((link) => (link as HTMLAnchorElement).href),
    )
    for (const [n, href] of entries.entries()) {
      const title = await links.nth(n).textContent()
      await links.nth(n).click()
      await page.waitForURL(href)
      await page.locator('h1', { hasText: title ?? '' }).waitFor()
      await check(href.slice(url.length).replace(/(^|\/)$/, '$1index.html'))
    }
  }
}, 600_000)

const textOfCut = (all: Element[]) =>
  all
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ textContent }) => textContent?.slice(0, 60) ?? '')

describe('the pages, light at 1280 px and dark at 360 px', () => {
  test('are all reached by clicks, without an error or a request to another host', () => {
    const inSidebar = (path: string) => !/^reference\/typed-id/.test(path)
    expect(reached.sort()).toEqual(PAGES.filter(inSidebar))
    expect(problems).toEqual([])
  })

  test('violate no rule of WCAG 2.2 AA', () => expect(violations).toEqual([]))
  test('are not wider than the screen', () => expect(wider).toEqual([]))
  test('have no code or table that is cut off at 1280 px', () => {
    expect(measured).toBeGreaterThan(60)
    expect(cut).toEqual([])
  })
  test('have no image without a size, so nothing moves when one is loaded', () =>
    expect(unsized).toEqual([]))
})

test('neither the search nor the menus of a phone violate it', async () => {
  const { page, url } = await openSite('guide/start.html', {
    reducedMotion: 'reduce',
    viewport: { width: 360, height: 740 },
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

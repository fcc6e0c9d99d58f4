import { readFileSync } from 'node:fs'
import { findViolations, RULES_OF_LOOKS } from 'testkit/axe.ts'
import { startService } from 'testkit/process.ts'
import { expect, test } from 'vitest'
import { DIST, newPage, open, openSite, PAGES } from './pages.ts'

/** The appearances in which every page is checked: both colour schemes and both widths. */
const LOOKS = [
  { name: 'light', colorScheme: 'light', width: 1280, rules: undefined },
  { name: 'dark, 360 px wide', colorScheme: 'dark', width: 360, rules: RULES_OF_LOOKS },
] as const
/**
 * Further appearances, checked on one page because they are the same on each: the dark sidebar, which is hidden at 360
 * px, and the menus of a phone.
 */
const LOOKS_OF_ONE = [
  { name: 'dark', colorScheme: 'dark', width: 1280, rules: undefined },
  { name: 'light, 360 px wide', colorScheme: 'light', width: 360, rules: undefined },
] as const

/** Returns the main heading of a page as its file contains it. */
const headingOf = (path: string) =>
  /<h1[^>]*>(.*?)<\/h1>/s
    .exec(readFileSync(DIST + path, 'utf8'))?.[1]
    ?.replace(/<a .*|<[^>]+>/g, '')
    .trim()

// All pages in two appearances take minutes on a busy machine.
test('clicks lead through all pages, and none has a problem, violates WCAG 2.2 AA or is wider than the screen: light, and dark at 360 px', {
  timeout: 600_000,
}, async () => {
  // Clicks do not reload the page, so V8 keeps the optimized code of axe.
  const viewport = { width: 1280, height: 800 }
  const { page, url, problems } = await openSite('', { reducedMotion: 'reduce', viewport })
  const found: string[] = []
  const wide: string[] = []
  const reached: string[] = []
  let rules = 0
  async function check(path: string) {
    expect(page.url()).toBe(url + path.replace(/(^|\/)index\.html$/, '$1'))
    reached.push(path)
    for (const { name, colorScheme, width, rules: some } of path === 'guide/start.html'
      ? [...LOOKS, ...LOOKS_OF_ONE]
      : LOOKS) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await page.waitForFunction(
        (dark) => document.documentElement.classList.contains('dark') === dark,
        colorScheme === 'dark',
      )
      const { violations, passed } = await findViolations(page, some)
      rules += passed
      found.push(...violations.map((violation) => `${path}, ${name}: ${violation}`))
      if ((await page.evaluate(() => document.documentElement.scrollWidth)) > width)
        wide.push(`${path}, ${name}`)
    }
    await page.setViewportSize(viewport)
  }

  await check('index.html')
  for (const [link, last] of [
    ['text=Start in 60 seconds', 'Storage'],
    ['.VPNavBarMenu >> text=Service', 'Operations'],
  ] as const) {
    await page.click(link)
    await page.locator(`.VPSidebar >> text=${last}`).first().waitFor({ state: 'attached' })
    const links = page.locator('.VPSidebar a')
    const hrefs = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))
    for (const [n, href] of hrefs.entries()) {
      const path = href.slice(url.length).replace(/(^|\/)$/, '$1index.html')
      await links.nth(n).click()
      await page.waitForURL(href)
      await page.locator('h1', { hasText: headingOf(path) as string }).waitFor()
      await check(path)
    }
  }
  await page.click('.VPNavBarTitle a')
  await page.waitForURL(url)
  await page.locator('h1', { hasText: headingOf('index.html') as string }).waitFor()
  console.log(
    `axe: ${reached.length} pages in ${LOOKS.length} looks, ${rules} rules passed, ${found.length} violations`,
  )
  expect(found).toEqual([])
  expect(wide).toEqual([])
  expect(problems).toEqual([])
  // The reference of each subpath is below its index.
  expect(reached.sort()).toEqual(PAGES.filter((path) => !/^reference\/typed-id/.test(path)))
})

test.each(['light', 'dark'] as const)(
  'neither the search nor the menus of a phone violate it: %s',
  async (colorScheme) => {
    const { page, url } = await openSite('guide/start.html', {
      colorScheme,
      reducedMotion: 'reduce',
      viewport: { width: 360, height: 740 },
    })
    const found: string[] = []
    await page.keyboard.press('Control+k')
    await page.locator('#localsearch-input:focus').waitFor()
    await page.keyboard.type('clock')
    await page.locator('.result.selected').waitFor()
    found.push(...(await findViolations(page)).violations)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.locator('.VPSidebar.open').waitFor()
    found.push(...(await findViolations(page)).violations)
    await open(page, `${url}guide/start.html`)
    await page.locator('.VPNavBarHamburger').click()
    await page.locator('.VPNavScreen').waitFor()
    found.push(...(await findViolations(page)).violations)
    expect(found).toEqual([])
  },
)

test('the documentation page of the service violates no rule of WCAG 2.2 AA, light and dark', async () => {
  const service = await startService({ DATABASE_URL: 'sqlite::memory:' })
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await newPage({ colorScheme })
    await page.goto(`${service.url}/docs`)
    await page.locator('#operations-users-getUser .opblock-summary-control').click()
    await page.locator('#operations-users-getUser .responses-table').waitFor()
    const creating = page.locator('#operations-users-createUser')
    await creating.locator('.opblock-summary-control').click()
    await creating.getByRole('button', { name: 'Try it out' }).click()
    await creating.getByLabel('Request body').waitFor()
    found.push(...(await findViolations(page)).violations.map((violation) => `${colorScheme}: ${violation}`))
  }
  await service.stop()
  expect(found).toEqual([])
})

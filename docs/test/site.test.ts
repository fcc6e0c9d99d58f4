import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  DIST,
  newPage,
  open,
  openSite,
  PAGES,
  serveSite,
  watch,
} from './pages.ts'

function urlsIn(path: string, elements: RegExp, attribute: string): string[] {
  const base = 'site:/typed-id/'
  return [...readFileSync(DIST + path, 'utf8').matchAll(elements)].flatMap(
    ([element]) => {
      const [, url] = new RegExp(` ${attribute}="([^"]*)"`).exec(element) ?? []
      if (url === undefined || url.startsWith('data:')) return []
      const { href } = new URL(url.replaceAll('&amp;', '&'), base + path)
      return [decodeURI(href).replace(base, '')]
    },
  )
}

const filesOf = (path: string) => [
  ...new Set([
    path,
    ...urlsIn(
      path,
      /<link\b[^>]*rel="(?:preload |modulepreload|preload|stylesheet)[^>]*>/g,
      'href',
    ),
    ...urlsIn(path, /<(?:script|img)\b[^>]*>/g, 'src'),
  ]),
]

test('every page has at most 10 requests and 110 kB, compressed', () => {
  const sizeOf = (file: string) =>
    gzipSync(readFileSync(DIST + file), { level: 9 }).length
  for (const path of PAGES) {
    const files = filesOf(path)
    expect(files.length, path).toBeLessThanOrEqual(10)
    expect(sum(files.map(sizeOf)), path).toBeLessThan(110_000)
  }
})

const sum = (numbers: number[]) =>
  numbers.reduce((total, number) => total + number, 0)

test.each(['index.html', 'reference/typed-id/zod.html'])(
  '%s loads directly, in a folder of a host, with these requests and no others',
  async (path) => {
    const url = await serveSite()
    const page = await newPage()
    const problems = watch(page, url)
    const requests: string[] = []
    page.on('request', (request) =>
      requests.push(request.url().replace(url, '')),
    )
    await open(page, url + path)
    await page.waitForLoadState('networkidle')
    expect(
      requests.filter((request) => !request.startsWith('data:')).sort(),
    ).toEqual(filesOf(path).sort())
    expect(problems).toEqual([])
  },
)

test('the search finds a section and opens it, by keyboard', async () => {
  const { page, url, problems } = await openSite('guide/migrate.html')
  await page.keyboard.press('Control+k')
  await page.locator('#localsearch-input:focus').waitFor()
  await page.keyboard.type('clock is set back')
  await page.locator('.result.selected[href*="/guide/order.html#"]').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`^${url}guide/order\\.html#`))
  await page.locator('h1', { hasText: 'Order and time' }).waitFor()
  expect(problems).toEqual([])
})

const FIRST: Readonly<Record<string, RegExp>> = {
  'not a valid user id': /guide\/errors/,
  'wrong type: expected user, received team': /guide\/errors/,
  'unknown prefix': /guide\/errors/,
  'invalid uuid: expected a lowercase UUID': /guide\/errors/,
  'missing crypto': /guide\/errors/,
  'react native': /guide\/faq/,
  hermes: /guide\/faq/,
  pagination: /recipes\.html/,
  'nestjs pipe': /guide\/frameworks/,
  valibot: /recipes\/validators/,
  jest: /guide\/testing/,
  backup: /operations\/backup/,
  prisma: /recipes\/orms|guide\/storage\.html#prisma/,
  'clock set back': /guide\/order/,
  'nextjs params': /recipes\/react/,
  'react-hook-form': /guide\/forms/,
  'foreign key': /guide\/(faq|storage)/,
  'branded string type': /guide\/why/,
  'batch insert': /guide\/faq/,
}

const FIRST_THREE: typeof FIRST = {
  'drizzle uuid column': /recipes\/orms|guide\/storage\.html#drizzle/,
  'zod 3': /guide\/zod-openapi/,
  'short id': /guide\/(ids|faq|grammar)/,
  'sort order': /guide\/order/,
  cli: /guide\/cli/,
  'hide creation time': /guide\/opaque/,
  swagger: /guide\/(zod-openapi|frameworks)|service\//,
  'migrate from uuid': /guide\/migrate/,
  mysql: /guide\/(storage|sql)/,
  'branded type error': /guide\/why/,
  port: /operations\/configuration/,
  'wrong type': /guide\/(ids|why|errors)/,
  clock: /guide\/order/,
  'time of an id': /guide\/(order|ids)/,
  restore: /operations\/backup/,
  size: /benchmarks/,
  next: /recipes\/react/,
  collision: /guide\/faq/,
  'graceful shutdown': /operations\/run/,
  'auto increment': /guide\/migrate/,
  encrypt: /guide\/opaque/,
  autoincrement: /guide\/migrate/,
  license: /guide\/faq/,
  TS2345: /guide\/faq/,
  snowflake: /guide\/migrate/,
  jsonb: /guide\/(faq|storage)/,
  'redis key': /guide\/faq/,
  'composite primary key': /guide\/(faq|storage)/,
  'css selector': /guide\/faq/,
  'plain javascript': /guide\/faq/,
  cuid: /guide\/migrate/,
  sveltekit: /guide\/in-your-framework/,
  nuxt: /guide\/in-your-framework/,
  'hydration error': /guide\/in-your-framework/,
  angular: /guide\/in-your-framework/,
}

test.each([
  ['first result of each of 19 searches is', FIRST, 1],
  ['first three results of 35 searches contain', FIRST_THREE, 3],
] as const)('the %s the expected page', async (_, searches, count) => {
  const { page } = await openSite('guide/start.html')
  const wrong: string[] = []
  await page.keyboard.press('Control+k')
  for (const [query, expected] of Object.entries(searches)) {
    await page.fill('#localsearch-input', '')
    await page.locator('.result').first().waitFor({ state: 'detached' })
    await page.fill('#localsearch-input', query)
    await page.locator('.result').first().waitFor()
    const links = await page
      .locator('.result')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    const first = links.slice(0, count).join(' ')
    if (!expected.test(first)) wrong.push(`${query}: ${first}`)
  }
  expect(wrong).toEqual([])
})

test('an address without a page leads to the home page, at any depth', async () => {
  const { page, url } = await openSite()
  for (const path of ['nothing', 'guide/nothing/at-all']) {
    await page.route(url + path, async (route) =>
      route.fulfill({ path: `${DIST}404.html` }),
    )
    await page.goto(url + path)
    await page.getByRole('link', { name: 'home page' }).click()
    await page.waitForURL(url)
  }
})

test('from 360 to 1920 px, no page scrolls sideways, and the header fits', async () => {
  const { page, url } = await openSite()
  for (const path of [
    'index.html',
    'operations/configuration.html',
    'recipes/orms.html',
  ]) {
    await open(page, url + path)
    for (const width of [360, 768, 960, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth),
        path,
      ).toBe(width)
      const ends = await page
        .locator('.VPNavBar :is(a, button):visible')
        .evaluateAll((all) =>
          all.map((element) => element.getBoundingClientRect().right),
        )
      expect(Math.max(...ends), path).toBeLessThanOrEqual(width)
    }
  }
})

test('on a phone, no name in code is broken in two', async () => {
  const { page, url } = await openSite('', {
    viewport: { width: 360, height: 740 },
  })
  for (const path of ['guide/errors.html', 'guide/ids.html']) {
    await open(page, url + path)
    const broken = await page.evaluate(() =>
      [...document.querySelectorAll('.vp-doc :not(pre) > code')].flatMap(
        ({ firstChild: text, textContent }) =>
          [...(textContent ?? '').matchAll(/\w+/g)].flatMap(
            ({ 0: word, index }) => {
              if (!text) return []
              const range = document.createRange()
              range.setStart(text, index)
              range.setEnd(text, index + word.length)
              return range.getClientRects().length > 1 ? [word] : []
            },
          ),
      ),
    )
    expect(broken, path).toEqual([])
  }
})

test('the sidebar has at most 30 entries, and shows the one of the page', async () => {
  for (const path of ['benchmarks.html', 'operations/backup.html']) {
    const { page } = await openSite(path, {
      viewport: { width: 1280, height: 800 },
    })
    const links = page.locator('.VPSidebar .VPSidebarItem a')
    expect(await links.count(), path).toBeLessThanOrEqual(30)
    await expect
      .poll(async () => {
        const box = await page
          .locator('.VPSidebarItem.is-active .link')
          .boundingBox()
        return box !== null && box.y > 0 && box.y + box.height <= 800
      })
      .toBe(true)
  }
})

test('the home page shows the message of the compiler in its code', async () => {
  const { page } = await openSite()
  const error = page.locator('.twoslash-error-line').first()
  expect(await error.textContent()).toContain('is not assignable to parameter')
})

test('llms.txt has a line for the Markdown of every page, in which no link is dead', () => {
  const read = (path: string) => readFileSync(DIST + path, 'utf8')
  const links = [
    ...read('llms.txt').matchAll(/\]\(\S+?\/typed-id\/(\S+\.md)\): \S/g),
  ].map(([, file = '']) => file)
  expect(links.sort()).toEqual(
    PAGES.map((path) => path.replace(/html$/, 'md')).sort(),
  )
  for (const file of links)
    for (const [, path = ''] of read(file).matchAll(
      /\]\((\.?[\w./-]+\.md)[)#]/g,
    ))
      expect(existsSync(join(DIST, file, '..', path)), path).toBe(true)
})

test('every page has its address for search engines', () => {
  const map = readFileSync(`${DIST}sitemap.xml`, 'utf8')
  for (const path of PAGES) {
    const [address] = urlsIn(path, /<link rel="canonical"[^>]*>/g, 'href')
    expect(map, path).toContain(`<loc>${address}</loc>`)
  }
})

test('the site links to the inspector', async () => {
  const { page, url } = await openSite('guide/cli.html')
  await page.getByRole('link', { name: 'Inspector' }).first().click()
  await page.getByRole('heading', { name: 'What is this id?' }).waitFor()
  expect(page.url()).toBe(`${url}inspector.html`)
})

test('the first key leads to the content, and the focus is visible', async () => {
  const { page } = await openSite('guide/start.html')
  await page.keyboard.press('Tab')
  const skip = page.locator('.VPSkipLink:focus')
  expect(await skip.textContent()).toBe('Skip to content')
  expect((await skip.boundingBox())?.height).toBeGreaterThan(20)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const focused = page.locator('.VPContent :focus')
  expect(
    await focused.evaluate((element) => getComputedStyle(element).outlineStyle),
  ).not.toBe('none')
})

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SUBPATHS } from 'typed-id/internal/subpaths.ts'
import { createServer } from 'vitepress'
import { describe, expect, test } from 'vitest'
import { DIST, newPage, open, openSite, PAGES, serveSite, watch } from './pages.ts'

describe('in a folder of a host', () => {
  test('every page loads directly, and every link and anchor leads somewhere', async () => {
    const url = await serveSite()
    const page = await newPage()
    const problems = watch(page, url)
    const anchors = new Set(globSync('**/*.*', { cwd: DIST }).map((file) => url + file.replaceAll('\\', '/')))
    const links = new Set<string>()
    const texts = new Set<string>()
    for (const path of PAGES) {
      await open(page, url + path)
      const found = await page.evaluate(() => ({
        ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
        links: [...document.links].map(({ href }) => href),
        texts: [...document.links].map(({ textContent }) => textContent.trim().toLowerCase()),
      }))
      for (const id of found.ids) anchors.add(`${url}${path}#${id}`)
      for (const link of found.links) links.add(decodeURI(link))
      for (const text of found.texts) texts.add(text)
    }
    const toPage = (link: string) => link.replace(/\/(?=#|$)/, '/index.html').replace(/#$/, '')
    const internal = [...links].filter((link) => link.startsWith(url))
    expect(internal.length).toBeGreaterThan(150)
    console.log(`${PAGES.length} pages, ${internal.length} links and anchors checked`)
    expect(internal.filter((link) => !anchors.has(toPage(link)))).toEqual([])
    // Lighthouse rejects link texts that mean nothing without their sentence.
    for (const text of ['go', 'here', 'more']) expect(texts).not.toContain(text)
    expect([...links].filter((link) => !/^(https:|http:\/\/127\.0\.0\.1:\d+)/.test(link))).toEqual([])
    expect(problems).toEqual([])
  })

  test('the search finds a section and opens it, by keyboard', async () => {
    const { page, url, problems } = await openSite('guide/migrate/packages.html')
    await page.keyboard.press('Control+k')
    await page.locator('#localsearch-input:focus').waitFor()
    await page.keyboard.type('clock is set back')
    await page.locator('.result.selected[href*="/guide/order.html#"]').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`^${url}guide/order\\.html#`))
    await page.locator('h1', { hasText: 'Order and time' }).waitFor()
    expect(problems).toEqual([])
  })
})

/** Search queries, and the page or the heading that has to be among the first three results. */
const SEARCHES: readonly (readonly [query: string, result: RegExp])[] = [
  ['drizzle uuid column', /recipes\/drizzle|guide\/storage\.html#drizzle/],
  ['prisma', /recipes\/prisma|guide\/storage\.html#prisma/],
  ['zod 3', /guide\/zod-openapi/],
  ['react native', /guide\/(faq|start)/],
  ['short id', /guide\/(ids|faq|grammar)/],
  ['sort order', /guide\/(order|faq\.html#how-do-ids-sort)/],
  ['jest', /guide\/testing/],
  ['nextjs params', /recipes\/react/],
  ['swagger', /guide\/(zod-openapi|frameworks)|service\//],
  ['migrate from uuid', /guide\/migrate\//],
  ['hide creation time', /guide\/opaque/],
  ['mysql', /guide\/(storage|sql)/],
  ['nestjs pipe', /guide\/frameworks/],
  ['branded type error', /guide\/why/],
  ['backup', /operations\/backup/],
  ['port', /operations\/configuration/],
  ['cli', /guide\/cli/],
  ['wrong type', /guide\/(ids|why|errors)/],
  ['clock', /guide\/order/],
]

test('the first three results of each of 19 searches contain the expected page', async () => {
  const { page } = await openSite('guide/start.html')
  const wrong: string[] = []
  await page.keyboard.press('Control+k')
  for (const [query, expected] of SEARCHES) {
    await page.fill('#localsearch-input', '')
    await page.locator('.result').first().waitFor({ state: 'detached' })
    await page.fill('#localsearch-input', query)
    await page.locator('.result').first().waitFor()
    const links = await page
      .locator('.result')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    const first = links.slice(0, 3).join(' ')
    if (!expected.test(first)) wrong.push(`${query}: ${first}`)
  }
  expect(wrong).toEqual([])
})

test('an address without a page leads on to the pages of the site, at any depth', async () => {
  const { page, url } = await openSite()
  for (const path of ['nothing', 'guide/nothing/at-all']) {
    await page.route(url + path, async (route) => route.fulfill({ path: `${DIST}404.html` }))
    await page.goto(url + path)
    await page.getByRole('link', { name: 'Start in 60 seconds' }).click()
    await page.waitForURL(`${url}guide/start.html`)
  }
})

/** The pages whose code people read: the home page, the guide and the recipes. */
const WITH_CODE = PAGES.filter((path) => /^(index|recipes|guide|recipes\/)/.test(path))

test('no code block is wider than its column on a screen of 1280 pixels', async () => {
  const { page, url } = await openSite('', { viewport: { width: 1280, height: 800 } })
  const cut: string[] = []
  let blocks = 0
  for (const path of WITH_CODE) {
    await open(page, url + path)
    const found = await page.locator('.vp-doc pre').evaluateAll((all) =>
      all.map((block) => ({
        text: block.textContent?.slice(0, 60),
        by: block.scrollWidth - block.clientWidth,
      })),
    )
    blocks += found.length
    cut.push(...found.filter(({ by }) => by > 0).map(({ text, by }) => `${path}, ${by} px: ${text}`))
  }
  expect(blocks).toBeGreaterThan(60)
  expect(cut).toEqual([])
})

test.each([360, 768, 960, 1280, 1920])(
  'at %i px, no page scrolls sideways, and the header fits',
  async (width) => {
    const { page, url } = await openSite('', { viewport: { width, height: 800 } })
    for (const path of [
      'index.html',
      'guide/start.html',
      'operations/configuration.html',
      'recipes/drizzle.html',
    ]) {
      await open(page, url + path)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(width)
      const ends = await page
        .locator('.VPNavBar :is(a, button):visible')
        .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().right))
      expect(Math.max(...ends), path).toBeLessThanOrEqual(width)
    }
  },
)

test('the sidebar has at most 30 entries, and shows the one of the page', async () => {
  for (const path of ['guide/start.html', 'benchmarks.html', 'operations/backup.html']) {
    const { page } = await openSite(path, { viewport: { width: 1280, height: 800 } })
    const links = page.locator('.VPSidebar .VPSidebarItem a')
    expect(await links.count(), path).toBeLessThanOrEqual(30)
    await expect
      .poll(async () => {
        const box = await page.locator('.VPSidebarItem.is-active .link').boundingBox()
        return box !== null && box.y > 0 && box.y + box.height <= 800
      })
      .toBe(true)
  }
})

test('shows the message of the compiler in the code of the home page', async () => {
  const { page } = await openSite()
  expect(await page.locator('.twoslash-error-line').first().textContent()).toContain(
    `Argument of type 'TypedId<"team">' is not assignable to parameter of type 'TypedId<"user">'.`,
  )
})

test('the figures of the home page are those of the pages that they link to', () => {
  const read = (page: string) => readFileSync(new URL(`../${page}`, import.meta.url), 'utf8')
  const figures = [...read('index.md').matchAll(/^- \[(.+)\]\(([\w/]+\.md)/gm)].flatMap(
    ([, text = '', page = '']) =>
      [...text.matchAll(/\*\*([\d.]+(?: of \d+)?)/g)].map(([, figure = '']) => ({ figure, page })),
  )
  expect(figures.length).toBe(4)
  for (const { figure, page } of figures) expect(read(page), page).toMatch(new RegExp(`\\b${figure}\\b`))
})

test('llms.txt links to the Markdown of every page but the reference, with the code of the recipes', () => {
  const read = (path: string) => readFileSync(DIST + path, 'utf8')
  const links = [...read('llms.txt').matchAll(/\]\(\/typed-id\/(\S+\.md)\)/g)].map(([, file = '']) => file)
  const pages = PAGES.filter((path) => !/^(index|reference\/.+)\.html$/.test(path))
  expect(links.sort()).toEqual(pages.map((path) => path.replace(/(\/index)?\.html$/, '.md')).sort())
  for (const file of links) expect(read(file), file).not.toMatch(/^<<</m)
  expect(read('guide/frameworks.md')).toContain(`from 'hono'`)
})

test.each(SUBPATHS)('the reference has every export of $specifier', async ({ key, source }) => {
  const page = readFileSync(new URL(`../reference/typed-id${key.slice(1)}.md`, import.meta.url), 'utf8')
  const exports = await import(new URL(`../../packages/typed-id/${source}`, import.meta.url).href)
  for (const name of Object.keys(exports))
    expect(page.replaceAll('\\_', '_'), name).toMatch(new RegExp(`^### (?:.+ )?${name}\\b`, 'm'))
})

test('no table of the comparison, or of the reliability, is cut off on a screen of 1280 pixels', async () => {
  for (const path of ['comparison.html', 'reliability.html']) {
    const { page } = await openSite(path, { viewport: { width: 1280, height: 800 } })
    const tables = page.locator('.vp-doc table')
    expect(await tables.count()).toBeGreaterThan(0)
    const cut = await tables.evaluateAll((all) =>
      all.filter((table) => table.scrollWidth > table.clientWidth),
    )
    expect(cut.length, path).toBe(0)
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
  expect(await focused.evaluate((element) => getComputedStyle(element).outlineStyle)).not.toBe('none')
})

test('a phone shows the menu', async () => {
  const { page, url } = await openSite('guide/start.html', { viewport: { width: 360, height: 740 } })
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.locator('.VPSidebar.open >> text=Ids of tables in use').click()
  await page.waitForURL(`${url}guide/migrate/live-tables.html`)
})

test('the first load of the start page is below 110 kB, compressed', async () => {
  const url = await serveSite()
  const page = await newPage()
  let bytes = 0
  page.on('response', (response) => {
    bytes += Number(response.headers()['content-length'])
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  console.log(`first load: ${(bytes / 1000).toFixed(1)} kB`)
  expect(bytes).toBeGreaterThan(10_000)
  expect(bytes).toBeLessThan(110_000)
})

test('in development, no request of the first page fails, including that of the browser for an icon', async () => {
  const server = await createServer(fileURLToPath(new URL('..', import.meta.url)), { port: 0 })
  await server.listen()
  const url = server.resolvedUrls?.local[0] ?? ''
  const page = await newPage()
  const problems = watch(page, url)
  await open(page, url)
  await page.waitForLoadState('networkidle')
  const title = await page.title()
  await page.close()
  await server.close()
  expect(title).toContain('typed-id')
  expect(problems).toEqual([])
})

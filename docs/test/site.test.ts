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

/** Search queries, and the page or the heading that has to be the first result. */
const SEARCHES: readonly (readonly [query: string, result: RegExp])[] = [
  ['prisma', /recipes\/prisma\.html|guide\/storage\.html#prisma/],
  ['drizzle uuid column', /recipes\/drizzle\.html|guide\/storage\.html#drizzle/],
  ['postgres function', /guide\/sql\.html/],
  ['sort order', /guide\/order\.html|guide\/faq\.html#how-do-ids-sort/],
  ['react query', /recipes\/react\.html/],
  ['nestjs pipe', /guide\/frameworks\.html#nestjs/],
  ['short id', /guide\/(ids|faq|grammar)\.html/],
  ['typeid', /guide\/typeids\.html/],
  ['security guess id', /guide\/privacy\.html/],
  ['zod error message', /guide\/zod-openapi\.html/],
  ['custom prefix', /guide\/faq\.html#which-prefixes-can-i-use/],
  ['rename prefix', /guide\/faq\.html#can-i-rename-a-prefix/],
  ['graphql', /guide\/frameworks\.html#(graphql|pothos)/],
  ['bulk insert', /recipes\/kysely\.html|guide\/(ids|storage)\.html/],
  ['test ids', /guide\/testing\.html/],
  ['faker', /guide\/testing\.html/],
  ['vitest', /guide\/testing\.html/],
  ['tanstack query', /recipes\/react\.html/],
  ['next server action', /recipes\/react\.html#next/],
  ['typeorm', /recipes\/other-orms\.html/],
]

test('the first result of each of 20 searches is the page that answers it', async () => {
  const { page } = await openSite('guide/start.html')
  const wrong: string[] = []
  await page.keyboard.press('Control+k')
  for (const [query, expected] of SEARCHES) {
    await page.fill('#localsearch-input', '')
    await page.locator('.result').first().waitFor({ state: 'detached' })
    await page.fill('#localsearch-input', query)
    const href = await page.locator('.result').first().getAttribute('href')
    if (!expected.test(href ?? '')) wrong.push(`${query}: ${href}`)
  }
  expect(wrong).toEqual([])
})

test('an address without a page leads on to the pages of the site, at any depth', async () => {
  const { page, url } = await openSite()
  for (const path of ['nothing', 'guide/nothing/at-all']) {
    await page.route(url + path, async (route) => route.fulfill({ path: `${DIST}404.html` }))
    await page.goto(url + path)
    await page.getByText('PAGE NOT FOUND').waitFor()
    await page.locator('.VPNavBarMenu >> text=Guide').click()
    await page.waitForURL(`${url}guide/start.html`)
  }
})

test('shows the message of the compiler in the code of the home page', async () => {
  const { page } = await openSite()
  expect(await page.locator('.twoslash-error-line').first().textContent()).toContain(
    `Argument of type 'TypedId<"team">' is not assignable to parameter of type 'UserId'.`,
  )
})

test('the figures of the home page are those of the pages that they link to', () => {
  const read = (page: string) => readFileSync(new URL(`../${page}`, import.meta.url), 'utf8')
  const figures = [...read('index.md').matchAll(/^- \[(.+)\]\(([\w/]+\.md)/gm)].flatMap(
    ([, text = '', page = '']) =>
      [...text.matchAll(/\*\*([\d.]+(?: of \d+)?)/g)].map(([, figure = '']) => ({ figure, page })),
  )
  expect(figures.length).toBeGreaterThan(4)
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

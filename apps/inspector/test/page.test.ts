import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import {
  findViolations,
  launchBrowser,
  RULES_OF_LOOKS,
  serveFolder,
} from 'testkit/browser.ts'
import { defineId, firstIdAt } from 'typed-id'
import library from 'typed-id/package.json' with { type: 'json' }
import { afterAll, expect, onTestFinished, test } from 'vitest'

const PAGE = new URL('../dist/inspector.html', import.meta.url)

const UserId = defineId('user')
const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'
const STANDARD = `user-${UUID}`
const SHORT = 'user_01j0b3v1mmeedtx9cpdgkfhbch'

const browser = await launchBrowser()
const site = await serveFolder(
  fileURLToPath(new URL('.', PAGE)),
  '/docs/typed-id/',
)
afterAll(async () => {
  await browser.close()
  site.close()
})
const ON_SITE = `${site.url}inspector.html`

async function openInspector(
  url = PAGE.href,
  options: BrowserContextOptions = {},
) {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    timezoneId: 'Europe/Berlin',
    ...options,
  })
  const page = await context.newPage()
  const requests = new Set<string>()
  const problems: string[] = []
  page.on('request', (request) => requests.add(withoutFragment(request.url())))
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on(
    'console',
    (message) => message.type() === 'error' && problems.push(message.text()),
  )
  onTestFinished(async () => {
    await context.close()
    expect(problems).toEqual([])
    expect([...requests]).toEqual([withoutFragment(url)])
  })
  await page.goto(url)
  const input = page.getByLabel('Id', { exact: true })
  return { page, input, problems }
}

const withoutFragment = (url: string) => url.replace(/#.*/, '')

const readStatus = (page: Page) => page.locator('#status').textContent()
const title = (page: Page) =>
  page.getByLabel('Result').locator('h2').textContent()

test('opens with an example that explains itself, which a pasted id replaces', async () => {
  const { page, input } = await openInspector()
  expect(await input.inputValue()).toBe(STANDARD)
  expect(await title(page)).toBe('Typed id, standard form')
  expect(await page.locator('#version').textContent()).toBe(library.version)
  await page.keyboard.type(SHORT)
  expect(await input.inputValue()).toBe(SHORT)
})

test('shows the parts, the time in UTC and local, and the forms of an id', async () => {
  const { page, input } = await openInspector()
  await input.fill(SHORT)
  expect(await readStatus(page)).toBe('Typed id, short form (TypeID)')
  const parts = await page
    .locator('.picture > *')
    .evaluateAll((all) =>
      all.map(({ className, textContent }) => className + textContent),
    )
  expect(parts).toEqual([
    ...['part typeusertype', '-', 'part time0190163d-8694time', '-'],
    ...['part version7version', 'part counter39b-aea5counter', '-'],
    'part random966c26f8ad91random',
  ])
  expect(await page.locator('p.time').textContent()).toBe(
    '2024-06-14 10:14:09.300 UTC',
  )
  expect(await page.locator('.local').textContent()).toMatch(
    /^Friday, June 14, 2024 at 12:14:09\sPM GMT\+2, /,
  )
  expect(await page.locator('dd code:visible').count()).toBe(3)
  await page.locator('summary').press('Enter')
  expect(await page.locator('dd code:visible').allTextContents()).toEqual([
    STANDARD,
    SHORT,
    UUID,
    '7: time and random, in order',
    'user_2wq5mOzTzOALmI3LYnPlJ',
    '01 90 16 3d 86 94 73 9b ae a5 96 6c 26 f8 ad 91',
  ])
})

test('shows the probable id of a typo with the wrong characters marked, and uses it', async () => {
  const { page, input } = await openInspector()
  await input.fill('USER_O1JOB3V1MMEEDTX9CPDGKFHBCH')
  expect(await title(page)).toBe('You probably meant')
  expect(await page.locator('mark').allTextContents()).toEqual(['O', 'O'])
  expect(await page.locator('.picture').count()).toBe(1)
  await page.getByRole('button', { name: 'Use it' }).click()
  expect(await input.inputValue()).toBe(SHORT)
  expect(await page.locator('mark').count()).toBe(0)
  await input.fill(STANDARD.slice(0, -1))
  expect(await page.locator('#result li').allTextContents()).toEqual([
    '31 of 32 digits.',
  ])
  await input.fill(`😀user-${UUID.replace('a5', 'g5')}`)
  expect(await page.locator('mark').allTextContents()).toEqual(['g'])
  const given = page.locator('.given code')
  expect(await given.evaluate((code) => code.firstChild?.textContent)).toBe(
    '😀',
  )
})

test('lists the ids in pasted lines', async () => {
  const { page, input } = await openInspector()
  await input.fill(
    `GET /users/${STANDARD} 200\ntrace=919108f7-52d1-4320-9bac-f847db4148a8`,
  )
  expect(await title(page)).toBe('2 ids')
  expect(await page.locator('th, td').allTextContents()).toEqual([
    ...['Id', 'Type', 'Created'],
    ...[STANDARD, 'user', '2024-06-14T10:14:09.300Z'],
    ...['919108f7-52d1-4320-9bac-f847db4148a8', 'none', 'unknown'],
  ])
  await input.fill(`GET /users/${STANDARD} 200`)
  expect(await title(page)).toBe('1 id')
  await input.fill('hello')
  expect(await page.locator('#result').textContent()).toBe(
    'No id foundPaste a typed id, a UUID, or lines with ids.',
  )
  await input.fill('')
  expect(await page.getByRole('button').allTextContents()).toEqual(['New id'])
})

test.each([
  ['a file', PAGE.href, []],
  ['the site', ON_SITE, [site.url]],
])(
  'opened from %s, copies a form by keyboard, and a link whose fragment opens the id',
  async (_, url, links) => {
    const { page, input } = await openInspector(url)
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await input.fill(`team-${UUID}`)
    await page.getByRole('button', { name: 'New id' }).press('Enter')
    const uncorrected =
      '[spellcheck=false] [autocomplete=off][autocapitalize=off]'
    const focused = page.locator(`${uncorrected}:focus`)
    expect(await focused.inputValue()).toMatch(/^team-(?!0190163d)/)
    await input.fill(`${SHORT}\n`)
    const targets = page
      .getByRole('link')
      .evaluateAll((all: HTMLAnchorElement[]) => all.map(({ href }) => href))
    expect(await targets).toEqual(links)
    for (const name of ['New id', 'Copy link', 'Copy']) {
      await page.keyboard.press('Tab')
      expect(await page.locator(':focus').textContent()).toBe(name)
    }
    await page.keyboard.press('Enter')
    await expect.poll(() => readStatus(page)).toBe('Standard copied')
    expect(await copied()).toBe(STANDARD)
    // Copying again must change the status, because screen readers announce
    // only changes.
    await page.keyboard.press('Enter')
    await expect.poll(() => readStatus(page)).toBe('Standard copied\u00a0')
    await page.getByRole('button', { name: 'Copy link' }).click()
    await expect.poll(() => readStatus(page)).toBe('Link copied')
    const link = await copied()
    expect(link).toBe(`${url}#${SHORT}`)
    const linked = await openInspector(link)
    expect(await linked.input.inputValue()).toBe(SHORT)
    await linked.input.fill(STANDARD)
    await expect.poll(() => linked.page.url()).toBe(url)
  },
)

test('a changed fragment opens its id, a copied link escapes the input, a broken fragment leaves it, and a new id removes the fragment', async () => {
  const { page, input } = await openInspector(`${PAGE.href}#%`)
  expect(await input.inputValue()).toBe(STANDARD)
  const setFragment = (text: string) =>
    page.evaluate((hash) => {
      location.hash = hash
    }, text)
  await setFragment(SHORT)
  await expect.poll(() => input.inputValue()).toBe(SHORT)
  expect(await title(page)).toBe('Typed id, short form (TypeID)')
  const text = `/users/${SHORT}?a=%#b`
  const fragment = encodeURIComponent(text)
  await setFragment(fragment)
  await expect.poll(() => input.inputValue()).toBe(text)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${PAGE.href}#${fragment}`)
  await setFragment('%')
  await expect.poll(() => page.url()).toMatch(/#%$/)
  expect(await input.inputValue()).toBe(text)
  await page.getByRole('button', { name: 'New id' }).click()
  expect(page.url()).toBe(PAGE.href)
})

test.each([
  ['that rejects', () => Promise.reject(new Error('denied'))],
  ['that is missing', undefined],
])(
  'with a clipboard %s, a button reports it, then has its label again',
  async (_, writeText) => {
    const { page } = await openInspector()
    await page.clock.install({ time: 0 })
    await page.clock.pauseAt(1000)
    await page.evaluate(
      `Object.defineProperty(navigator, 'clipboard', { value: ${writeText && `{ writeText: ${writeText} }`} })`,
    )
    const button = page.getByLabel('Copy Standard')
    await button.click()
    await expect.poll(() => button.textContent()).toBe('Failed')
    expect(await readStatus(page)).toBe(
      'Standard not copied: select and copy it',
    )
    await button.click()
    await expect.poll(() => readStatus(page)).toMatch(/copy it\u00a0$/)
    await page.clock.fastForward(1499)
    expect(await button.textContent()).toBe('Failed')
    await page.clock.fastForward(1)
    expect(await button.textContent()).toBe('Copy')
  },
)

test('of 1,001 ids, shows 1,000 and says so', async () => {
  const { page, input } = await openInspector()
  // Emits one `input` event. Playwright's `fill` would emit an event for each
  // line, and the page would read all ids again after each event.
  const paste = (count: number) =>
    input.evaluate((element: HTMLTextAreaElement, lines) => {
      element.value = lines
      element.dispatchEvent(new Event('input'))
    }, UserId.generateMany(count).join('\n'))
  await paste(1001)
  expect(await title(page)).toBe('1,001 ids')
  expect(await page.locator('tbody tr').count()).toBe(1000)
  const rest = page.locator('#result p')
  expect(await rest.textContent()).toBe('Shown are the first 1000.')
  await paste(1000)
  expect(await title(page)).toBe('1,000 ids')
  expect(await rest.count()).toBe(0)
})

test('the theme is the one of the system, unless the site has stored another', async () => {
  const { page } = await openInspector(ON_SITE, { colorScheme: 'dark' })
  const background = () =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const [light, dark] = ['rgb(255, 255, 255)', 'rgb(27, 27, 31)']
  expect(await background()).toBe(dark)
  for (const [theme, colour] of [
    ['light', light],
    ['dark', dark],
    ['auto', light],
  ] as const) {
    await page.evaluate(
      (stored) => localStorage.setItem('vitepress-theme-appearance', stored),
      theme,
    )
    await page.reload()
    expect(await background()).toBe(colour)
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.addInitScript(
    'Object.defineProperty(window, "localStorage", { get: () => missing })',
  )
  await page.reload()
  expect(await background()).toBe(light)
})

test('the policy of the page blocks requests and other scripts, so nothing leaves the page', async () => {
  const { page, problems } = await openInspector(ON_SITE)
  const allowed = await page.evaluate(async () => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "changed"'
    const form = Object.assign(document.createElement('form'), { action: '.' })
    const base = Object.assign(document.createElement('base'), { href: '/' })
    document.body.append(script, form, base)
    form.submit()
    const isSent = await fetch('./other').catch(() => false)
    const isMoved = document.baseURI !== location.href
    return [document.title === 'changed', isSent, isMoved]
  })
  expect(allowed).toEqual([false, false, false])
  // The browser reports the blocked form after `evaluate` has returned.
  await expect.poll(() => problems.join()).toContain('form-action')
  problems.length = 0
})

test('shows the age of an id, or that the id has no time', async () => {
  const { page, input } = await openInspector()
  for (const [days, age] of [
    [0, 'today'],
    [364, '364 days ago'],
    [700, 'last year'],
    [-800, 'in 2 years'],
  ] as const) {
    await input.fill(firstIdAt(UserId, Date.now() - days * 86_400_000))
    expect(await page.locator('.local').textContent()).toContain(`, ${age}`)
  }
  await input.fill('919108f7-52d1-4320-9bac-f847db4148a8')
  expect(await page.locator('p.time').textContent()).toBe('Contains no time')
})

const INPUTS = [
  '',
  SHORT,
  'USER_O1JOB3V1MMEEDTX9CPDGKFHBCH',
  `${'a'.repeat(63)}-${UUID.slice(1)}`,
  `${STANDARD}\n${'b'.repeat(63)}-${UUID}`,
]

test.each([
  { colorScheme: 'light', width: 1280, rules: undefined },
  { colorScheme: 'dark', width: 320, rules: RULES_OF_LOOKS },
] as const)(
  '$colorScheme, $width px wide, violates no rule of WCAG 2.2 AA and is not wider than the screen',
  async ({ colorScheme, width, rules }) => {
    const viewport = { width, height: 900 }
    const { page, input } = await openInspector(PAGE.href, {
      colorScheme,
      viewport,
      isMobile: width === 320,
    })
    for (const text of INPUTS) {
      await input.fill(text)
      const widthOfPage = await page.evaluate(
        'document.documentElement.scrollWidth',
      )
      expect(widthOfPage, text).toBe(width)
      expect((await findViolations(page, rules)).violations, text).toEqual([])
    }
  },
)

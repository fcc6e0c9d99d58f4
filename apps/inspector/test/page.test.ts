import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import {
  findViolations,
  launchBrowser,
  RULES_OF_LOOKS,
  serveFolder,
} from 'testkit/browser.ts'
import { defineId } from 'typed-id'
import { afterAll, expect, onTestFinished, test } from 'vitest'

const PAGE = new URL('../dist/inspector.html', import.meta.url)

const PLACES = ['file', '/docs/typed-id/']

const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'
const STANDARD = `user-${UUID}`
const SHORT = 'user_01j0b3v1mmeedtx9cpdgkfhbch'

const browser = await launchBrowser()
afterAll(() => browser.close())

async function startPlace(place: string): Promise<string> {
  if (place === 'file') return PAGE.href
  const { url, close } = await serveFolder(
    fileURLToPath(new URL('.', PAGE)),
    place,
  )
  onTestFinished(close)
  return `${url}inspector.html`
}

/**
 * Opens the inspector in a new browser context until the end of the test, and
 * records every request and every error.
 */
async function openInspector(url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    timezoneId: 'Europe/Berlin',
    ...options,
  })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const requests: string[] = []
  const problems: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on(
    'console',
    (message) => message.type() === 'error' && problems.push(message.text()),
  )
  await page.goto(url)
  return {
    page,
    requests,
    problems,
    input: page.getByLabel('Id', { exact: true }),
  }
}

/** Returns the status, which a screen reader announces. */
const readStatus = (page: Page) => page.locator('#status').textContent()
const title = (page: Page) => page.locator('#result h2').first().textContent()

/**
 * Opens the page, runs `task`, and checks that only the page was requested and
 * that there was no error.
 */
async function withPage(
  task: (
    opened: Awaited<ReturnType<typeof openInspector>> & { url: string },
  ) => Promise<void>,
  place = 'file',
) {
  const url = await startPlace(place)
  const opened = await openInspector(url)
  await task({ ...opened, url })
  expect(opened.problems).toEqual([])
  expect(opened.requests.map((url) => url.replace(/#.*/, ''))).toEqual([url])
}

test('opens with an example that explains itself, which a pasted id replaces', () =>
  withPage(async ({ page, input }) => {
    expect(await input.inputValue()).toBe(STANDARD)
    expect(await title(page)).toBe('Typed id, standard form')
    await page.keyboard.type(SHORT)
    expect(await input.inputValue()).toBe(SHORT)
  }))

test('shows the parts, the time in UTC and local, and the forms of an id', () =>
  withPage(async ({ page, input }) => {
    await input.fill(SHORT)
    expect(await readStatus(page)).toBe('Typed id, short form (TypeID)')
    expect(
      (await page.locator('.picture code').allTextContents()).join(''),
    ).toBe(STANDARD)
    expect(await page.locator('time').textContent()).toBe(
      '2024-06-14 10:14:09.300 UTC',
    )
    expect(await page.locator('.local').textContent()).toMatch(
      /June 14, 2024 at 12:14:09.*, (\d+ years ago|last year)$/,
    )
    await page.locator('summary').press('Enter')
    expect(await page.locator('dd code:visible').allTextContents()).toEqual([
      STANDARD,
      SHORT,
      UUID,
      '7: time and random, in order',
      'user_2wq5mOzTzOALmI3LYnPlJ',
      '01 90 16 3d 86 94 73 9b ae a5 96 6c 26 f8 ad 91',
    ])
  }))

test('shows the probable id of a typo with the wrong characters marked, and uses it', () =>
  withPage(async ({ page, input }) => {
    await input.fill('USER_O1JOB3V1MMEEDTX9CPDGKFHBCH')
    expect(await title(page)).toBe('You probably meant')
    expect(await page.locator('mark').allTextContents()).toEqual(['O', 'O'])
    await page.getByRole('button', { name: 'Use it' }).click()
    expect(await input.inputValue()).toBe(SHORT)
    expect(await page.locator('mark').count()).toBe(0)
    await input.fill(STANDARD.slice(0, -1))
    expect(await page.locator('#result li').allTextContents()).toEqual([
      '31 of 32 digits.',
    ])
  }))

test('lists the ids in pasted lines', () =>
  withPage(async ({ page, input }) => {
    await input.fill(
      `GET /users/${STANDARD} 200\ntrace=919108f7-52d1-4320-9bac-f847db4148a8`,
    )
    expect(await title(page)).toBe('2 ids')
    expect(await page.locator('td').allTextContents()).toEqual([
      ...[STANDARD, 'user', '2024-06-14T10:14:09.300Z'],
      ...['919108f7-52d1-4320-9bac-f847db4148a8', 'none', 'unknown'],
    ])
    await input.fill('hello')
    expect(await title(page)).toBe('No id found')
  }))

test.each(PLACES)(
  'opened from %s, copies a form by keyboard, and a link whose fragment opens the id',
  (place) =>
    withPage(async ({ page, input, url }) => {
      await page.getByRole('button', { name: 'New id' }).press('Enter')
      expect(await input.inputValue()).toMatch(/^user-[\da-f-]{36}$/)
      await input.fill(SHORT)
      for (const name of ['New id', 'Copy link', 'Copy']) {
        await page.keyboard.press('Tab')
        expect(await page.locator(':focus').textContent()).toBe(name)
      }
      await page.keyboard.press('Enter')
      await expect.poll(() => readStatus(page)).toBe('Standard copied')
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
        STANDARD,
      )
      // A screen reader announces only changes.
      await page.keyboard.press('Enter')
      await expect.poll(() => readStatus(page)).toBe('Standard copied\u00a0')
      await page.getByRole('button', { name: 'Copy link' }).click()
      await expect.poll(() => readStatus(page)).toBe('Link copied')
      const link = await page.evaluate(() => navigator.clipboard.readText())
      expect(link).toBe(`${url}#${SHORT}`)
      const linked = await openInspector(link)
      expect(await linked.input.inputValue()).toBe(SHORT)
      await linked.input.fill(STANDARD)
      await expect.poll(() => linked.page.url()).toBe(url)
      expect(linked.problems).toEqual([])
    }, place),
)

test('a changed fragment opens its id, and a broken fragment leaves the input', () =>
  withPage(async ({ page, input }) => {
    const setFragment = (text: string) =>
      page.evaluate((hash) => {
        location.hash = hash
      }, text)
    await setFragment(SHORT)
    await expect.poll(() => input.inputValue()).toBe(SHORT)
    expect(await title(page)).toBe('Typed id, short form (TypeID)')
    await setFragment('%')
    await expect.poll(() => page.url()).toContain('#%')
    expect(await input.inputValue()).toBe(SHORT)
  }))

test('a broken fragment opens the example', async () => {
  const { input, problems } = await openInspector(`${PAGE.href}#%`)
  expect(await input.inputValue()).toBe(STANDARD)
  expect(problems).toEqual([])
})

test.each([
  ['that rejects', () => Promise.reject(new Error('denied'))],
  ['that is missing', undefined],
])(
  'with a clipboard %s, a button reports it, then has its label again',
  (_, writeText) =>
    withPage(async ({ page }) => {
      await page.clock.install()
      await page.evaluate(
        `Object.defineProperty(navigator, 'clipboard', { value: ${writeText && `{ writeText: ${writeText} }`} })`,
      )
      const button = page.locator('dd button').first()
      await button.click()
      await expect.poll(() => button.textContent()).toBe('Failed')
      expect(await readStatus(page)).toBe(
        'Standard not copied: select and copy it',
      )
      await page.clock.fastForward(1500)
      expect(await button.textContent()).toBe('Copy')
    }),
)

test('of 1,001 ids, shows 1,000 and says so', () =>
  withPage(async ({ page, input }) => {
    // `fill` would emit an event for each line.
    const paste = (count: number) =>
      input.evaluate((element: HTMLTextAreaElement, lines) => {
        element.value = lines
        element.dispatchEvent(new Event('input'))
      }, defineId('user').generateMany(count).join('\n'))
    await paste(1001)
    expect(await title(page)).toBe('1,001 ids')
    expect(await page.locator('tbody tr').count()).toBe(1000)
    expect(await page.locator('#result p').textContent()).toBe(
      'Shown are the first 1000.',
    )
    await paste(1000)
    expect(await title(page)).toBe('1,000 ids')
    expect(await page.locator('#result p').count()).toBe(0)
  }))

test('the theme is the one of the system, unless the site has stored another', async () => {
  const { page } = await openInspector(await startPlace('/docs/'), {
    colorScheme: 'dark',
  })
  const background = () =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(await background()).toBe('rgb(27, 27, 31)')
  await page.evaluate(() =>
    localStorage.setItem('vitepress-theme-appearance', 'light'),
  )
  await page.reload()
  expect(await background()).toBe('rgb(255, 255, 255)')
})

test('the policy of the page blocks a request, so nothing leaves the page', async () => {
  const { page, requests } = await openInspector(await startPlace('/docs/'))
  const sent = await page.evaluate(() =>
    fetch('./other').then(
      () => true,
      () => false,
    ),
  )
  expect([sent, requests.length]).toEqual([false, 1])
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
    const url = await startPlace('file')
    const { page, input, problems } = await openInspector(url, {
      colorScheme,
      viewport: { width, height: 900 },
    })
    for (const text of INPUTS) {
      await input.fill(text)
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth),
        text,
      ).toBe(width)
      expect((await findViolations(page, rules)).violations, text).toEqual([])
    }
    expect(problems).toEqual([])
  },
)

test('the file is below 35 kB, and its policy allows its script and its style by their hashes, and no request', () => {
  const file = readFileSync(PAGE, 'utf8')
  expect(file.length).toBeLessThan(35_000)
  const policy = /Content-Security-Policy"? content="([^"]*)"/
    .exec(file)?.[1]
    ?.split('; ')
  const hash = "'sha256-[\\w+/]{43}='"
  expect(policy).toEqual([
    "default-src 'none'",
    "connect-src 'none'",
    expect.stringMatching(`^script-src ${hash}$`),
    expect.stringMatching(`^style-src ${hash}$`),
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
  ])
})

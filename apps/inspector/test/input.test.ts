import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openInspector, readStatus, startPlace } from './open-page.ts'

const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'
const STANDARD = `user-${UUID}`
const SHORT = 'user_01j0b3v1mmeedtx9cpdgkfhbch'
const LONG_LOG = `${STANDARD}\n`.repeat(2000)

const open = async (options = {}) => openInspector(await startPlace('/docs/typed-id/'), options)

test('dropped files are searched as one log', async () => {
  const { page, problems } = await open()
  const files = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([text], 'a.log'))
    transfer.items.add(new File([text.toUpperCase()], 'b.log'))
    return transfer
  }, STANDARD)
  await page.dispatchEvent('body', 'dragover', { dataTransfer: files })
  expect(await page.locator('body').getAttribute('data-dragging')).toBe('')
  await page.dispatchEvent('body', 'drop', { dataTransfer: files })
  await expect.poll(() => page.locator('.number').allTextContents()).toEqual(['1', '2'])
  expect(await page.locator('#source').textContent()).toContain('2 files, 83 bytes')
  expect(await page.locator('.id.invalid').count()).toBe(1)
  expect(problems).toEqual([])
})

test('a long text is pasted as a log, anywhere in the page, and cleared', async () => {
  const { page, problems, input } = await open()
  await page.evaluate((text) => navigator.clipboard.writeText(text), LONG_LOG)
  await page.locator('h1').click()
  await page.keyboard.press('Control+V')
  await expect.poll(() => readStatus(page)).toBe('2,000 ids of 1 type, 1 distinct, in 2,000 lines, 84.0 kB')
  expect(await input.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Clear' }).click()
  await input.click()
  await page.keyboard.press('Control+V')
  await expect.poll(() => page.locator('#source').isVisible()).toBe(true)
  expect(problems).toEqual([])
})

test('files of UTF-16 with a byte order mark, as PowerShell 5 writes them, are decoded', async () => {
  const { page, problems } = await open()
  const little = Buffer.from(`\ufeffZoë ${STANDARD}\r\n`, 'utf16le')
  const file = (buffer: Buffer) => ({ name: 'a.log', mimeType: 'text/plain', buffer })
  const big = Buffer.from(little).swap16()
  await page.setInputFiles('#chooser', [little, big, Buffer.from(STANDARD)].map(file))
  await expect
    .poll(() => page.locator('.text').allTextContents())
    .toEqual([`Zoë ${STANDARD}`, '', `Zoë ${STANDARD}`, '', STANDARD])
  expect(await page.locator('.id').count()).toBe(3)
  expect(problems).toEqual([])
})

test('keys and buttons lead to the other occurrences of an id, in any form', async () => {
  const { page, problems } = await open()
  const far = `team-${UUID}\n`.repeat(3000)
  const text = `${STANDARD} ${SHORT}\n${far}${SHORT.toUpperCase()}\n${far}${STANDARD}\n`
  await page.setInputFiles('#chooser', { name: 'a.log', mimeType: 'text/plain', buffer: Buffer.from(text) })
  const title = page.locator('#occurrences-title')
  await expect.poll(() => title.textContent()).toBe(`${STANDARD}: 4 times, in lines 1 to 6,003`)
  expect(await page.locator('.id.same').allTextContents()).toEqual([STANDARD, SHORT])
  const selected = async () => [
    await page.locator('.row:has([aria-current]) .number').textContent(),
    await page.locator('[aria-current]').textContent(),
  ]
  await page.locator('.id').first().focus()
  for (const [key, line, id] of [
    ['n', '1', SHORT],
    ['n', '3,002', SHORT.toUpperCase()],
    ['n', '6,003', STANDARD],
    ['n', '6,003', STANDARD],
    ['p', '3,002', SHORT.toUpperCase()],
    ['p', '1', SHORT],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(selected).toEqual([line, id])
    await expect.poll(() => page.locator('[aria-current]:focus').isVisible()).toBe(true)
  }
  for (const [name, line] of [
    ['Last', '6,003'],
    ['Previous', '3,002'],
    ['First', '1'],
    ['Next', '1'],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click()
    await expect.poll(async () => (await selected())[0]).toBe(line)
    expect(await page.locator(':focus').textContent()).toBe(name)
  }
  await page.getByRole('button', { name: 'Only lines with this id' }).click()
  await expect.poll(() => page.locator('.number').allTextContents()).toEqual(['1', '3,002', '6,003'])
  await page.locator('[aria-current]').press('ArrowDown')
  await page.keyboard.press('n')
  await expect.poll(selected).toEqual(['3,002', SHORT.toUpperCase()])
  await page.getByLabel('Find a text or an id').fill('')
  await expect.poll(() => page.locator('.number').count()).toBeGreaterThan(20)
  expect(await selected()).toEqual(['1', STANDARD])
  expect(problems).toEqual([])
})

test('a text is found with the types that are pressed, and the ids of the shown lines are copied and saved', async () => {
  const { page, problems, input } = await open()
  await input.fill(`GET ${STANDARD}\nPUT ${SHORT}\nget team-${UUID}\nget ${SHORT}`)
  const lines = () => page.locator('.number').allTextContents()
  await page.getByLabel('Find a text or an id').fill('get ')
  await expect.poll(lines).toEqual(['1', '3', '4'])
  expect(await page.locator('mark').allTextContents()).toEqual(['GET ', 'get ', 'get '])
  await page.getByRole('button', { name: 'user 3' }).click()
  await expect.poll(lines).toEqual(['1', '4'])
  await page.getByRole('button', { name: 'Copy ids' }).click()
  await expect.poll(() => readStatus(page)).toBe('ids copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${STANDARD}\n`)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save ids as CSV' }).click()
  expect(readFileSync(await (await saving).path(), 'utf8')).toBe(
    `type,id,created,count,first_line,last_line\nuser,${STANDARD},2024-06-14T10:14:09.300Z,2,1,4\n`,
  )
  for (const [text, status] of [
    ['nothing', '0 rows shown'],
    ['PUT', '1 row shown'],
  ] as const) {
    await page.getByLabel('Find a text or an id').fill(text)
    await expect.poll(() => readStatus(page)).toBe(status)
  }
  expect(problems).toEqual([])
})

test('a file that was removed meanwhile is reported', async () => {
  const { page } = await open()
  const folder = mkdtempSync(join(tmpdir(), 'typed-id-inspector-'))
  writeFileSync(join(folder, 'a.log'), LONG_LOG)
  await page.setInputFiles('#chooser', join(folder, 'a.log'))
  await expect
    .poll(() => page.locator('#summary').textContent())
    .toBe('2,000 ids of 1 type, 1 distinct, in 2,000 lines, 84.0 kB')
  rmSync(folder, { recursive: true })
  await page.locator('#log').evaluate((log) => log.scrollTo(0, log.scrollHeight))
  await expect.poll(() => readStatus(page)).toContain('cannot be read any more. NotFoundError')
})

test('copies on a page without https, too', async () => {
  const { page, input } = await openInspector((await startPlace('/')).replace('127.0.0.1', 'host.test'))
  expect(await page.evaluate(() => isSecureContext)).toBe(false)
  await input.fill(STANDARD)
  await page.getByRole('button', { name: 'Copy UUID' }).click()
  await expect.poll(() => readStatus(page)).toBe('UUID copied')
  expect(await page.locator(':focus').getAttribute('class')).toBe('copy')
  await input.fill('')
  await input.press('Control+V')
  expect(await input.inputValue()).toBe(UUID)
})

test('the theme is that of the system until the button chooses one, which the site shares', async () => {
  const { page } = await open({ colorScheme: 'dark' })
  const button = page.getByRole('button', { name: 'Dark theme' })
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect([await background(), await button.getAttribute('aria-pressed')]).toEqual(['rgb(27, 27, 31)', 'true'])
  await button.click()
  expect([await background(), await button.getAttribute('aria-pressed')]).toEqual([
    'rgb(255, 255, 255)',
    'false',
  ])
  await page.reload()
  expect(await background()).toBe('rgb(255, 255, 255)')
  expect(await page.evaluate(() => localStorage['vitepress-theme-appearance'])).toBe('light')
})

test('the page links to the site that has it, and the offline file has no link', async () => {
  const url = await startPlace('/docs/typed-id/')
  const { page } = await openInspector(url)
  expect(
    await page.getByRole('link', { name: 'Docs' }).evaluate((link) => (link as HTMLAnchorElement).href),
  ).toBe(new URL('.', url).href)
  const offline = await openInspector(await startPlace('file'))
  expect(await offline.page.getByRole('link', { name: 'Docs' }).count()).toBe(0)
})

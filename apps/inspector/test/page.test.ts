import { readFileSync } from 'node:fs'
import { defineId } from 'typed-id'
import { describe, expect, test } from 'vitest'
import { openInspector, PLACES, readForms, readStatus, startPlace } from './open-page.ts'

const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'
const STANDARD = `user-${UUID}`
const SHORT = 'user_01j0b3v1mmeedtx9cpdgkfhbch'
const UserId = defineId('user')

describe.each(PLACES)('opened from %s', (place) => {
  /** Opens the page, runs a task, and checks that only the page was requested and that there was no error. */
  async function withPage(
    task: (opened: Awaited<ReturnType<typeof openInspector>> & { url: string }) => Promise<void>,
  ) {
    const url = await startPlace(place)
    const opened = await openInspector(url)
    await task({ ...opened, url })
    expect(opened.problems).toEqual([])
    const sent = opened.requests.filter((url) => !/^(blob|data):/.test(url))
    expect(sent.map((url) => url.replace(/#.*/, ''))).toEqual([url])
  }

  test('an id is shown in every form', () =>
    withPage(async ({ page, input }) => {
      await input.fill('user_2wq5mOzTzOALmI3LYnPlJ')
      const { Created, ...forms } = await readForms(page)
      expect(Created).toMatch(/^\d+ years ago$/)
      expect(forms).toEqual({
        Type: 'user',
        Version: '7',
        Variant: 'RFC 9562',
        'Time, UTC': '2024-06-14T10:14:09.300Z',
        Standard: STANDARD,
        'Short, TypeID': SHORT,
        UUID,
        'Base 62': 'user_2wq5mOzTzOALmI3LYnPlJ',
        'Bytes, hex': '01 90 16 3d 86 94 73 9b ae a5 96 6c 26 f8 ad 91',
        'Base 64': 'AZAWPYaUc5uupZZsJvitkQ==',
      })
    }))

  test('a uuid gets the forms of a type that is typed', () =>
    withPage(async ({ page, input }) => {
      await input.fill(UUID)
      expect(await readForms(page)).toMatchObject({ Type: 'none', UUID, 'Base 32': SHORT.slice(5) })
      await page.getByLabel('As an id of type').fill('user')
      expect(await readForms(page)).toMatchObject({ Type: 'user', UUID, Standard: STANDARD })
    }))

  test('a retyped id is shown with its corrections, and "Use it" replaces it', () =>
    withPage(async ({ page, input }) => {
      await input.fill('USER_O1JOB3V1MMEEDTX9CPDGKFHBCH')
      expect(await page.locator('.meant').textContent()).toContain(`Did you mean ${SHORT}?`)
      await page.getByRole('button', { name: 'Use it' }).click()
      expect(await input.inputValue()).toBe(SHORT)
      expect(await page.locator('.meant').count()).toBe(0)
    }))

  test('a text without an id is explained with the message of the library', () =>
    withPage(async ({ page, input }) => {
      await input.fill('user-1')
      await page.locator('.nothing').waitFor()
      expect(await page.locator('.nothing').textContent()).toContain('received "user-1"')
      await input.fill('01ARZ3NDEKTSV4RRFFQ69G5FAV\n507c7f79bcf86cd7994f6c0e')
      await expect
        .poll(() => page.locator('.nothing').textContent())
        .toContain('Enter an id of another kind alone')
      await input.fill(STANDARD.slice(0, -1))
      await expect.poll(() => page.locator('.misses').textContent()).toBe('The uuid has 31 of 32 digits.')
      await input.fill('01ARZ3NDEKTSV4RRFFQ69G5FAV')
      await expect.poll(() => page.locator('.card h2').first().textContent()).toBe('ULID')
      expect(await readForms(page)).toMatchObject({ Created: '2016-07-30T23:54:10.259Z' })
    }))

  test('one click shows the example: ids of 4 types, a uuid and 2 retyped ids', () =>
    withPage(async ({ page }) => {
      await page.getByRole('button', { name: 'a log' }).click()
      await page.locator('.id').first().waitFor()
      const box = await page.locator('#log').boundingBox()
      const inLog = await page.$$eval(
        '.id',
        (ids, right) => ids.map((id) => id.getBoundingClientRect().right < right),
        (box?.x ?? 0) + (box?.width ?? 0),
      )
      expect(inLog).toEqual(Array(12).fill(true)) // long lines wrap
      const legend = await page.locator('#legend .chip').allTextContents()
      expect(legend).toEqual(['user 5', 'team 3', 'order 2', 'session 1', 'plain uuid 1', 'did you mean? 2'])
      const hues = await page.$$eval('.id', (ids) =>
        ids.map((id) => `${id.textContent.split(/[-_]/)[0]?.toLowerCase()} ${/hue\d+/.exec(id.className)}`),
      )
      // Each type, and the uuid, has one hue.
      expect([new Set(hues).size, new Set(hues.map((hue) => hue.split(' ')[1])).size]).toEqual([5, 5])
      await page.getByText('times, in lines').waitFor()
      expect(await readStatus(page)).toBe(await page.locator('#summary').textContent())
    }))

  test('pressed types filter the lines', () =>
    withPage(async ({ page, input }) => {
      await input.fill(`start\n${STANDARD}\nteam-${UUID}\n${SHORT.toUpperCase()}\nend`)
      const numbers = () => page.locator('.number').allTextContents()
      await expect.poll(numbers).toEqual(['1', '2', '3', '4', '5'])
      await page.getByRole('button', { name: 'user 2' }).click()
      await expect.poll(numbers).toEqual(['2', '4'])
      await page.getByRole('button', { name: 'team 1' }).click()
      await expect.poll(numbers).toEqual(['2', '3', '4'])
      await page.getByRole('button', { name: 'user 2' }).click()
      await expect.poll(numbers).toEqual(['3'])
      await page.getByRole('button', { name: 'team 1' }).click()
      await page.getByRole('button', { name: 'did you mean? 1' }).click()
      await expect.poll(numbers).toEqual(['4'])
      await page.locator('.id').click()
      expect(await page.locator('.meant').textContent()).toContain(`Did you mean ${SHORT}?`)
    }))

  test('keys move from id to id, and copy a form, which is announced', () =>
    withPage(async ({ page, input }) => {
      await input.fill(`${STANDARD} ${SHORT}\nteam-${UUID}`)
      await page.locator('.id').first().waitFor()
      await page.locator('#log').focus()
      await page.keyboard.press('Tab')
      for (const key of ['ArrowRight', 'ArrowDown']) await page.keyboard.press(key)
      expect(await page.locator('.id:focus').textContent()).toBe(`team-${UUID}`)
      expect(await readForms(page)).toMatchObject({ Type: 'team' })
      await page.keyboard.press('ArrowUp')
      expect(await page.locator('.id:focus').textContent()).toBe(SHORT)
      for (const expected of ['Time, UTC', 'Standard', 'Short, TypeID']) {
        await page.keyboard.press('Tab')
        expect(await page.locator(':focus').textContent()).toBe(`Copy ${expected}`)
      }
      await page.keyboard.press('Enter')
      await expect.poll(() => readStatus(page)).toBe('Short, TypeID copied')
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(SHORT)
    }))

  test('a link has the id in its fragment only, and opens it', () =>
    withPage(async ({ page, input, url }) => {
      await input.fill(SHORT)
      await page.getByRole('button', { name: 'Copy link' }).click()
      await expect.poll(() => readStatus(page)).toBe('link copied')
      const link = await page.evaluate(() => navigator.clipboard.readText())
      expect(link).toBe(`${url}#${SHORT}`)
      const linked = await openInspector(link)
      expect(await linked.input.inputValue()).toBe(SHORT)
      expect(await readForms(linked.page)).toMatchObject({ Standard: STANDARD })
      await linked.page.evaluate((hash) => (location.hash = hash), UUID)
      await expect.poll(() => linked.input.inputValue()).toBe(UUID)
      await linked.input.fill(STANDARD)
      await expect.poll(() => linked.page.url()).toBe(url)
      expect(linked.problems).toEqual([])
    }))

  test('makes ids of a type, a form, a version and a moment', () =>
    withPage(async ({ page, input }) => {
      const make = async () => {
        await page.getByRole('button', { name: 'Make', exact: true }).click()
        return (await page.getByLabel('New ids').inputValue()).split('\n')
      }
      expect((await make()).map(UserId.parse)).toHaveLength(5)
      await page.getByLabel('Count').fill('10000')
      await page.getByLabel('Form').selectOption('short')
      await page.getByLabel('Moment, UTC').fill('2024-06-14 10:14:09.300')
      const ids = (await make()).map(UserId.fromShort)
      expect([new Set(ids).size, ids.toSorted().join() === ids.join()]).toEqual([10_000, true])
      expect(new Set(ids.map((id) => UserId.timestamp(id)?.toISOString()))).toEqual(
        new Set(['2024-06-14T10:14:09.300Z']),
      )

      const saving = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save as a file' }).click()
      const saved = readFileSync(await (await saving).path(), 'utf8')
        .trim()
        .split('\n')
      expect(saved.map(UserId.fromShort)).toEqual(ids)

      await page.getByLabel('Version').selectOption('4')
      await page.getByLabel('Form').selectOption('uuid')
      await page.getByLabel('Count').fill('2')
      const [first = '', second = ''] = await make()
      for (const uuid of [first, second]) expect(UserId.toUuid(UserId.fromUuid(uuid)).charAt(14)).toBe('4')
      await page.getByRole('button', { name: 'Inspect', exact: true }).click()
      expect(await input.inputValue()).toBe(`${first}\n${second}`)
    }))
})

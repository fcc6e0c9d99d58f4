import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openInspector, readStatus, startPlace } from './open-page.ts'

/** Opens the inspector, and returns functions that use its form. */
async function openForm() {
  const { page, problems } = await openInspector(await startPlace('file'))
  return {
    page,
    problems,
    readMade: () => page.getByLabel('New ids').inputValue(),
    make: () => page.getByRole('button', { name: 'Make', exact: true }).click(),
    /** Types a text into a field, whose browser may ignore characters. */
    async type(label: string, text: string) {
      const field = page.getByLabel(label, { exact: true })
      await field.clear()
      await field.pressSequentially(text)
    },
  }
}

/** Returns the label and the description of each field that is invalid, which screen readers read. */
const readInvalid = (page: Page) =>
  page.locator('#make [aria-invalid="true"]').evaluateAll((fields) =>
    (fields as HTMLInputElement[]).map((field) => {
      const description = document.getElementById(field.getAttribute('aria-describedby') ?? '')
      return [field.labels?.[0]?.textContent.trim(), description?.textContent]
    }),
  )

const COUNT = 'expected a whole number of ids from 1 to 10,000, received'

test.each([
  ['Count', '', '1', `${COUNT} nothing`],
  ['Count', '0', '1', `${COUNT} 0`],
  ['Count', '-1', '1', `${COUNT} -1`],
  ['Count', '1.5', '1', `${COUNT} 1.5`],
  ['Count', '10001', '1', `${COUNT} 10001`],
  ['Count', '1e9', '1', `${COUNT} 1e9`],
  ['Count', 'e', '1', `${COUNT} a text`],
  ['Moment, UTC', 'soon', '2024-06-14', 'expected a moment such as 2024-06-14 10:14, received soon'],
  // A browser reads them as 1 March 2024, 7 June 2024 and 1 May 2001.
  ...['2024-02-30 10:14', '06.07.2024', '5'].map((moment) => [
    'Moment, UTC',
    moment,
    '2024-06-14 10:14:09.3 +02:00',
    `expected a moment such as 2024-06-14 10:14, received ${moment}`,
  ]),
  ['Type', '', 'team', 'invalid prefix: expected [a-zA-Z0-9]{1,63}, received ""'],
] as [string, string, string, string][])(
  'reports %s "%s", and keeps the ids made before',
  async (label, invalid, valid, message) => {
    const { page, problems, readMade, make, type } = await openForm()
    await make()
    const before = await readMade()
    await type(label, invalid)
    await make()
    expect(await page.getByRole('alert').textContent()).toBe(message)
    expect(await readInvalid(page)).toEqual([[label, message]])
    expect([await readMade(), await readStatus(page)]).toEqual([before, '5 ids made'])

    await type(label, valid)
    await make()
    expect(await page.getByRole('alert').textContent()).toBe('')
    expect(await readInvalid(page)).toEqual([])
    expect(await readMade()).not.toBe(before)
    expect(problems).toEqual([])
  },
)

test.each([
  ['1', '1 id made'],
  ['10000', '10,000 ids made'],
])('makes %s of at most 10,000 ids', async (count, status) => {
  const { page, readMade, make, type } = await openForm()
  await type('Count', count)
  await make()
  expect((await readMade()).split('\n')).toHaveLength(Number(count))
  expect(await readStatus(page)).toBe(status)
})

test('makes TypeIDs whose prefix has _, in the forms that they have', async () => {
  const { page, problems, readMade, make, type } = await openForm()
  await type('Type', 'order_line')
  await make()
  expect(await readInvalid(page)).toEqual([
    ['Type', 'invalid prefix: expected [a-zA-Z0-9]{1,63}, received "order_line"'],
  ])
  await page.getByLabel('Form').selectOption('short')
  await make()
  expect(await readMade()).toMatch(/^(?:order_line_[0-7][0-9a-z]{25}\n?){5}$/)
  expect(await readInvalid(page)).toEqual([])
  expect(problems).toEqual([])
})

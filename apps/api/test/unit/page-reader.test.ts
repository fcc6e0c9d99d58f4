import { expect, test } from 'vitest'
import { createPageReader } from '../../src/http/page-reader.ts'

test('a page without items must be the last one: its list would start again', async () => {
  const read = createPageReader()
  const items: { id: string }[] = []
  await expect(read(async () => ({ items, hasMore: true }))).rejects.toThrow(
    'expected the page to have an item, or to be the last',
  )
  expect(await read(async () => ({ items, hasMore: false }))).toEqual({
    text: '[]',
    hasMore: false,
    count: 0,
    last: '',
  })
})

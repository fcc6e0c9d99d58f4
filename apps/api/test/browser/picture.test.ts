import { readFile, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { captureDocsPage, PICTURE, TEXT } from '../../docs/capture-docs-page.ts'

test('the picture in the README shows the page as it is, else run "pnpm --filter api run screenshot"', async () => {
  const { picture, text } = await captureDocsPage()
  expect(text).toBe(await readFile(TEXT, 'utf8'))
  const { size } = await stat(PICTURE)
  expect(size).toBeLessThan(100_000)
  // Other fonts change the size by less than a fifth.
  expect(Math.abs(picture.length / size - 1)).toBeLessThan(0.2)
})

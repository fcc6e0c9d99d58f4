import { fileURLToPath } from 'node:url'
import { createServer } from 'vitepress'
import { expect, test } from 'vitest'
import { newPage, open, watch } from './pages.ts'

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

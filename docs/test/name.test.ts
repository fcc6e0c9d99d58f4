import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createMarkdownRenderer } from 'vitepress'
import { expect, test } from 'vitest'
import { extendMarkdown } from '../.vitepress/markdown.ts'
import { PAGES } from './browser.ts'

const DOCS = fileURLToPath(new URL('..', import.meta.url))

test('with another name in the registry, every page installs, runs and imports that name', async () => {
  const md = await createMarkdownRenderer(DOCS, { config: (md) => extendMarkdown(md, '@acme/typed-id') })
  const pages = PAGES.filter((path) => /^(index|recipes|guide)/.test(path)).map((path) => {
    const relativePath = path.replace('.html', '.md')
    const env = { path: DOCS + relativePath, relativePath, cleanUrls: false }
    return md.render(readFileSync(env.path, 'utf8'), env).replace(/<[^>]*>/g, '')
  })
  const text = pages.join('\n').replaceAll('&#39;', "'")
  expect(text).toContain("from '@acme/typed-id/zod'")
  expect(text).toContain('npm install @acme/typed-id')
  expect(text).toContain('npx @acme/typed-id inspect')
  expect([...text.matchAll(/(from |import |import\()'typed-id[^']*'|(npx|npm install) typed-id/g)]).toEqual(
    [],
  )
})

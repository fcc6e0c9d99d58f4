import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createMarkdownRenderer } from 'vitepress'
import { expect, test } from 'vitest'
import { extendMarkdown } from '../.vitepress/markdown.ts'
import { PAGES } from './pages.ts'

/* The pages of a package with another name, and with a repository. */
const DOCS = fileURLToPath(new URL('..', import.meta.url))
const REPOSITORY = 'https://github.com/acme/ids'
const md = await createMarkdownRenderer(DOCS, {
  config: (md) => extendMarkdown(md, '@acme/typed-id', REPOSITORY),
})

function render(relativePath: string, text: string): string {
  const env = { path: DOCS + relativePath, relativePath, cleanUrls: false }
  return md.render(text, env)
}

test('with another name in the registry, every page installs, runs and imports that name', () => {
  const pages = PAGES.filter((path) => /^(index|recipes|guide)/.test(path)).map((path) => {
    const page = path.replace('.html', '.md')
    return render(page, readFileSync(DOCS + page, 'utf8')).replace(/<[^>]*>/g, '')
  })
  const text = pages.join('\n').replaceAll('&#39;', "'")
  expect(text).toContain("from '@acme/typed-id/zod'")
  expect(text).toContain('npm install @acme/typed-id')
  expect(text).toContain('npx @acme/typed-id inspect')
  expect([...text.matchAll(/(from |import |import\()'typed-id[^']*'|(npx|npm install) typed-id/g)]).toEqual(
    [],
  )
})

test('a link out of the folder leads to the repository, a link to a page to the page', () => {
  const html = render('guide/why.md', '[ORMs](../../integrations/README.md) [SQL](sql.md#text)')
  expect(html).toContain(`<a href="${REPOSITORY}/blob/HEAD/integrations/README.md"`)
  expect(html).toContain('<a href="./sql.html#text">SQL</a>')
})

test('the figures of the home page are those of the pages that they link to', () => {
  const read = (page: string) => readFileSync(`${DOCS}${page}`, 'utf8')
  const figures = [...read('index.md').matchAll(/^- \[(.+)\]\(([\w/]+\.md)/gm)].flatMap(
    ([, text = '', page = '']) =>
      [...text.matchAll(/\*\*([\d.]+(?: of \d+)?)/g)].map(([, figure = '']) => ({ figure, page })),
  )
  expect(figures.length).toBeGreaterThan(4)
  for (const { figure, page } of figures) expect(read(page), page).toMatch(new RegExp(`\\b${figure}\\b`))
  const [, response = ''] = /^```json\n([\s\S]+?)\n```$/m.exec(read('index.md')) ?? []
  expect(read('../README.md'), 'the curl session, which a test runs').toContain(
    JSON.stringify(JSON.parse(response)),
  )
})

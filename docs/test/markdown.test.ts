import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createMarkdownRenderer } from 'vitepress'
import { expect, test } from 'vitest'
import { extendMarkdown, REPOSITORY } from '../.vitepress/markdown.ts'

const DOCS = fileURLToPath(new URL('..', import.meta.url))
const md = await createMarkdownRenderer(DOCS, { config: extendMarkdown })

function render(relativePath: string, text: string): string {
  const env = { path: DOCS + relativePath, relativePath, cleanUrls: false }
  return md.render(text, env)
}

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

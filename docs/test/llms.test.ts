import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { headingsOf } from '../llms/markdown.ts'
import { DIST, PAGES } from './pages.ts'

const read = (file: string) => readFileSync(join(DIST, file), 'utf8')
const copies = globSync('**/*.md', { cwd: DIST }).map((file) => file.replaceAll('\\', '/'))
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$|`[^`\n]+`/gm, '')
const linksIn = (text: string) =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string)

test('every page of the site has a copy in Markdown with the same title', () => {
  const expected = PAGES.map((page) => page.replace('.html', '.md'))
  expect(copies.sort()).toEqual(expected.sort())
  const titleOf = (page: string) =>
    /<h1[^>]*>(.*?)<a/
      .exec(read(page))?.[1]
      ?.replace(/<[^>]+>/g, '')
      .trim()
  for (const page of PAGES) expect(headingsOf(read(page.replace('.html', '.md')), 1)).toEqual([titleOf(page)])
})

test('every link of a copy leads to a file of the site, and no HTML or syntax of VitePress is left', () => {
  const links = copies.flatMap((file) => linksIn(read(file)).map((link) => ({ file, link })))
  const internal = links.filter(({ link }) => !/^(https?:|#)/.test(link))
  expect(internal.length).toBeGreaterThan(100)
  const broken = internal.filter(
    ({ file, link }) => !existsSync(join(DIST, dirname(file), link.replace(/#.*/, ''))),
  )
  expect(broken).toEqual([])
  for (const file of copies) expect(read(file), file).not.toMatch(/^(?:<<<|:::|---$)/m)
  for (const file of copies) expect(withoutCode(read(file)), file).not.toMatch(/(?<!\\)<\/?[a-z][^>]*>|<!--/)
})

describe('llms.txt', () => {
  const text = read('llms.txt')

  test('has the form of llmstxt.org: a title, a quotation, text, and lists of links', () => {
    expect(text).toMatch(/^# .+\n\n(> .+\n)+\n(?!#|-)/)
    const [, ...sections] = text.split(/^## /m)
    expect(sections.length).toBeGreaterThan(3)
    for (const section of sections) {
      const [title, ...lines] = section.trim().split('\n')
      expect(title).toMatch(/^\w/)
      expect(lines.shift()).toBe('')
      for (const line of lines) expect(line).toMatch(/^- \[[^\]]+\]\(\S+\.md\)(: .+)?$/)
    }
  })

  test('links to every page, and to nothing else', () => {
    const links = linksIn(text)
    const pages = copies.filter((file) => file !== 'index.md')
    expect(links.sort()).toEqual([...pages, 'llms-full.txt'].sort())
  })
})

test('llms-full.txt has every page once', () => {
  const text = read('llms-full.txt')
  for (const file of copies) expect(text.split(`<!-- ${file} -->\n\n${read(file)}`), file).toHaveLength(2)
  expect(text.length).toBeGreaterThan(100_000)
})

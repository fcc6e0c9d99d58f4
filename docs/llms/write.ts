/*
 * Writes files for language models (https://llmstxt.org) into the built site: each page as Markdown, llms.txt with a
 * link to each page, and llms-full.txt with all pages. Both start with the package's README.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { library, service } from '../.vitepress/sidebar.ts'
import { headingsOf, toMarkdown } from './markdown.ts'

const DIST = fileURLToPath(new URL('../.vitepress/dist/', import.meta.url))
const README = new URL('../../packages/typed-id/README.md', import.meta.url)

const pages = new Map<string, string>()
const publish = (file: string, text = toMarkdown(file)) => {
  pages.set(file, text)
  mkdirSync(dirname(join(DIST, file)), { recursive: true })
  writeFileSync(join(DIST, file), text)
}

const readme = readFileSync(README, 'utf8')
publish('index.md')
const sections = [...library, ...service].map(({ text, items }) => {
  const links = items.map(({ link }) => {
    const file = `${link.slice(1).replace(/(^|\/)$/, '$1index')}.md`
    publish(file)
    return `- [${headingsOf(pages.get(file) as string, 1)[0]}](${file})${describe(file)}`
  })
  return `## ${text}\n\n${links.join('\n')}`
})

/** Lists the sections of a page, or the exports of a page of the library's reference. */
function describe(file: string): string {
  const level = /^## (Functions|Interfaces|Type Aliases)$/m.test(pages.get(file) as string) ? 3 : 2
  const headings = headingsOf(pages.get(file) as string, level)
  return headings.length === 0 ? '' : `: ${headings.join(', ')}`
}

const [head = ''] = readme.split('```')
const list = [head.trim(), '[llms-full.txt](llms-full.txt) is every page.', ...sections]
const full = [...pages].map(([file, text]) => `<!-- ${file} -->\n\n${text}`)
writeFileSync(join(DIST, 'llms.txt'), `${list.join('\n\n')}\n`)
writeFileSync(join(DIST, 'llms-full.txt'), full.join('\n'))

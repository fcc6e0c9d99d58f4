import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import MarkdownIt from 'markdown-it'
import { REPOSITORY } from 'testkit/documents.ts'
import manifest from 'typed-id/package.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { REPOSITORY as GITHUB, toAnchor } from '../.vitepress/markdown.ts'

const ROOT = fileURLToPath(REPOSITORY)
const TRACKED = execFileSync('git', ['ls-files'], { cwd: ROOT })
  .toString()
  .split('\n')
  .filter((file) => existsSync(ROOT + file))
const DOCUMENTS = TRACKED.filter((file) => file.endsWith('.md'))
const md = new MarkdownIt({ html: true, linkify: true })

const read = (file: string) => readFileSync(ROOT + file, 'utf8')

function linksIn(file: string): string[] {
  const html = md
    .render(read(file))
    .replace(/<!--.*?-->|<code>.*?<\/code>/gs, '')
  return [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, target = '']) =>
    decodeURI(target).replaceAll('&amp;', '&'),
  )
}

const anchorsOf = (file: string) =>
  md
    .parse(read(file), {})
    .flatMap(({ type }, n, tokens) =>
      type === 'heading_open' ? [toAnchor(textOf(tokens[n + 1])), ''] : [],
    )

const textOf = (token?: { children: { content: string }[] | null }) =>
  token?.children?.map(({ content }) => content).join('') ?? ''

function problemOf(file: string, link: string): string | undefined {
  const [, page] = link.split(manifest.homepage)
  if (page && !page.startsWith('inspector.html'))
    return `${file}: ${link} leads to no page`
  const inside = link.startsWith(`${GITHUB}/blob/HEAD/`)
  if (/^\w+:/.test(link) && !inside) return undefined
  const [target = '', anchor = ''] = link
    .replace(`${GITHUB}/blob/HEAD/`, '')
    .split('#')
  const path = inside ? target : target && join(dirname(file), target)
  const readme = `${path.replace(/\/$/, '')}/README.md`
  const found = [path || file, readme].find((one) => TRACKED.includes(one))
  if (!found) return `${file}: ${link} leads to no file`
  return found.endsWith('.md') && !anchorsOf(found).includes(anchor)
    ? `${file}: ${link} leads to no heading`
    : undefined
}

describe.each(DOCUMENTS)('%s', (file) => {
  test('has no line that only VitePress reads', () => {
    const text = md.render(read(file)).replace(/<pre>.*?<\/pre>/gs, '')
    expect(text).not.toMatch(/^(<p>)?(&lt;|<){3}|@include|^(<p>)?:::|\[\[toc/im)
    expect(read(file)).not.toMatch(/^---\n/)
    for (const { type, info } of md.parse(read(file), {}))
      if (type === 'fence') expect(info).toMatch(/^(\w+( [\w/-]+)?)?$/)
  })

  test('each fence is a block of code', () => {
    const fences = read(file).match(/^ *```/gm) ?? []
    const blocks = md.render(read(file)).match(/<pre><code/g) ?? []
    expect(blocks).toHaveLength(fences.length / 2)
    expect(md.render(read(file))).not.toContain('```')
  })

  test('every link of the repository leads to a file or a heading', () => {
    const links = linksIn(file)
    expect(links.flatMap((link) => problemOf(file, link) ?? [])).toEqual([])
  })
})

test('both READMEs and the package link the site', () => {
  expect(manifest.homepage).toBe('https://typed-id.github.io/typed-id/')
  for (const file of ['README.md', 'packages/typed-id/README.md'])
    expect(linksIn(file), file).toContain(manifest.homepage)
})

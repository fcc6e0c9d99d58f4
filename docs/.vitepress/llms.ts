import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path/posix'
import { REPOSITORY } from './markdown.ts'

interface Site {
  readonly srcDir: string
  readonly outDir: string
  readonly pages: readonly string[]
}

export function writeMarkdown(url: string, { srcDir, outDir, pages }: Site) {
  const lines = pages.map((page) => {
    const text = readFileSync(join(srcDir, page), 'utf8')
    const copy = join(outDir, page)
    mkdirSync(dirname(copy), { recursive: true })
    writeFileSync(copy, linkOut(text, page))
    const [, title = ''] = /^# (.+)$/m.exec(text) ?? []
    const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name)
    const about = sections.join(', ') || /^\w[^.\n]+/m.exec(text)?.[0]
    return `- [${title.replaceAll('`', '')}](${url}${page}): ${about}`
  })
  copyFileSync(join(srcDir, 'anatomy.svg'), join(outDir, 'anatomy.svg'))
  writeFileSync(join(outDir, 'llms.txt'), `# typed-id\n\n${lines.join('\n')}\n`)
}

const linkOut = (text: string, page: string) =>
  text.replace(/(\]\()(\.\.?\/[^)#]*)/g, (link, start, target) => {
    const path = join('docs', dirname(page), target)
    if (path.startsWith('docs/')) return link
    return `${start}${REPOSITORY}/blob/HEAD/${relative('.', path)}`
  })

/* Converts pages to plain Markdown that does not depend on its location: without HTML or links that leave the site. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pathInRepository, REPOSITORY } from '../.vitepress/markdown.ts'

const DOCS = fileURLToPath(new URL('..', import.meta.url))

/**
 * Returns the text of a page.
 *
 * @param file the path of the page in docs/, such as `guide/start.md`
 */
export function toMarkdown(file: string): string {
  const path = join(DOCS, file)
  const text = insertFiles(readFileSync(path, 'utf8'), dirname(path))
  // Parts with an odd index are code.
  const parts = text.split(/(^```[\s\S]*?^```$)/m).map((part, n) => (n % 2 ? part : plain(part, path)))
  return `${parts
    .join('')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`
}

/** Replaces VitePress' syntax for the insertion of a file, as code or as a region of text, with the content. */
function insertFiles(text: string, folder: string): string {
  return text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/^::: ?.*\n/gm, '')
    .replace(/^<<< (\S+\.(\w+))$/gm, (_, file: string, language: string) => {
      const code = readFileSync(join(folder, file), 'utf8')
      return `\`\`\`${language}\n${code}\`\`\``
    })
    .replace(/<!--@include: (\S+)#(\S+)-->/g, (_, file: string, region: string) =>
      readRegion(join(folder, file), region),
    )
    .replace(/<!--@include: (\S+)\{(\d+),\}-->/g, (_, file: string, line: string) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .slice(Number(line) - 1)
        .join('\n'),
    )
}

/** Returns the headings of one level, without markup. */
export function headingsOf(markdown: string, level: number): string[] {
  const text = markdown.replace(/^```[\s\S]*?^```$/gm, '')
  return [...text.matchAll(new RegExp(`^#{${level}} (.+)$`, 'gm'))].map(([, heading = '']) =>
    heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`\\]/g, ''),
  )
}

function plain(text: string, path: string): string {
  return text
    .replace(/(<!--[\s\S]*?-->|<script[\s\S]*?<\/script>|<[A-Z]\w+ \/>)\n?/g, '')
    .replace(/<\/?(?:main|div|p|a|span)(?: [^>]*)?>/g, '')
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, 'Picture: $1')
    .replace(/\[([^\]]*)\]\((?!\w+:|#)([^)\s]+)\)/g, (link, label: string, target: string) => {
      const file = pathInRepository(path, target)
      return file.startsWith('docs/') ? link : `[${label}](${REPOSITORY}/blob/HEAD/${file})`
    })
}

function readRegion(path: string, region: string): string {
  const [, content] = readFileSync(path, 'utf8').split(new RegExp(`<!-- #(?:end)?region ${region} -->\n`))
  if (content === undefined) throw new Error(`${path} has no region ${region}`)
  return content
}

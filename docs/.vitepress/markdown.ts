import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { rendererRich, transformerTwoslash } from '@shikijs/twoslash'
import manifest from 'typed-id/package.json' with { type: 'json' }
import type { MarkdownRenderer } from 'vitepress'

const FOLDER = fileURLToPath(new URL('../..', import.meta.url))
export const REPOSITORY = manifest.repository.url.replace(/^git\+|\.git$/g, '')

export function linkToRepository(md: MarkdownRenderer): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = String(token.attrGet('href') ?? '')
      if (token.type !== 'link_open' || /^(\w+:|#|\/)/.test(href)) continue
      const target = relative(FOLDER, join(dirname(env.path), href))
      if (!target.startsWith('docs/'))
        token.attrSet('href', `${REPOSITORY}/blob/HEAD/${target}`)
    }
  })
}

/**
 * Returns the id that GitHub gives a heading, so that a link to a heading works
 * in the repository and on the site.
 */
export const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/**
 * Adds the class `file` to a file name above a code block, so that CSS joins
 * the name to the block. Copies the second word of a fence, such as `twoslash`
 * in `ts twoslash`, to `data-mark`, by which a test recognizes the code of
 * recipes.
 */
export function nameFiles({ core, renderer }: MarkdownRenderer): void {
  core.ruler.push('file-names', ({ tokens }) => {
    for (const [n, token] of tokens.entries()) {
      const [start, name] = tokens.slice(Math.max(0, n - 3), n)
      if (token.type === 'fence' && /^`[^` ]+`$/.test(name?.content ?? ''))
        start?.attrJoin('class', 'file')
    }
  })
  const { fence } = renderer.rules
  renderer.rules.fence = (tokens, i, ...rest) => {
    const block = fence?.(tokens, i, ...rest) ?? ''
    const [, mark] = tokens[i]?.info.split(' ') ?? []
    return mark ? block.replace('<div ', `<div data-mark="${mark}" `) : block
  }
}

const README = readFileSync(`${FOLDER}README.md`, 'utf8')

export function inlineReadmeSection({ core }: MarkdownRenderer): void {
  const [, table = ''] =
    /^## One mistake[^\n]*\n(.+?)\n## /ms.exec(README) ?? []
  core.ruler.before('normalize', 'fences', (state) => {
    if (state.env.relativePath === 'index.md')
      state.src = state.src.replace(/^\[.*five fences\]\(.*$/m, () => table)
  })
}

/**
 * Replaces `@ts-expect-error` during compilation, so that the page shows the
 * compiler's error. The replacement is equally long, so that the positions of
 * errors stay the same.
 */
const HIDDEN = '@ts-expect_error'

type Transformer = ReturnType<typeof transformerTwoslash>
type Element = Parameters<NonNullable<Transformer['pre']>>[0]
type Node = Element['children'][number]

const showErrors: Transformer = {
  name: 'show-errors',
  preprocess: (code, { meta }) =>
    /\btwoslash\b/.test(meta?.__raw ?? '')
      ? code.replaceAll('@ts-expect-error', HIDDEN)
      : code,
  postprocess: (html) => html.replaceAll(HIDDEN, '@ts-expect-error'),
}

const copyCodeOnly: Transformer = {
  name: 'copy-code-only',
  pre({ children: [code] }) {
    if (code?.type !== 'element') return
    let isCopied = true
    let continues = false
    code.children = code.children.flatMap((node) => {
      if (isError(node)) return [LINE_BREAK, ignored(node)]
      if (this.options.lang !== 'console') return [node]
      if (node.type === 'element') {
        isCopied = splitPrompt(node) || continues
        continues = isCopied && /"\\\\\s*"[^"]*$/.test(JSON.stringify(node))
      }
      return [isCopied ? node : ignored(node)]
    })
  },
}

const LINE_BREAK: Node = { type: 'text', value: '\n' }

const isError = (node: Node) =>
  node.type === 'element' && /-error-line/.test(String(node.properties.class))

function splitPrompt(line: Element): boolean {
  const [token] = line.children
  const text = token?.type === 'element' ? token.children[0] : undefined
  if (text?.type !== 'text' || !text.value.startsWith('$ ')) return false
  text.value = text.value.slice(2)
  line.children.unshift(ignored({ type: 'text', value: '$ ' }))
  return true
}

const ignored = (node: Node): Element => ({
  type: 'element',
  tagName: 'span',
  properties: { class: 'vp-copy-ignore' },
  children: [node],
})

const rich = rendererRich({ errorRendering: 'line' })

/**
 * Shows only the first line of a compiler error. Shows no types on hover,
 * because the types would add 19 kB to the first load.
 */
export const compileCode = [
  showErrors,
  transformerTwoslash({
    explicitTrigger: true,
    renderer: {
      ...rich,
      lineError(error) {
        const [text = ''] = error.text.split('\n')
        return rich.lineError?.call(this, { ...error, text }) ?? []
      },
    },
    twoslashOptions: {
      handbookOptions: { noErrorValidation: true },
      shouldGetHoverInfo: () => false,
    },
  }),
  copyCodeOnly,
]

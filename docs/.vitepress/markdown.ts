/* Adapts Markdown to the site. In the repository, links are relative, and GitHub draws the diagrams. */
import { dirname, join, relative } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { rendererRich, transformerTwoslash } from '@shikijs/twoslash'
import { renderMermaidSVG } from 'beautiful-mermaid'
import manifest from 'typed-id/package.json' with { type: 'json' }
import type { MarkdownRenderer } from 'vitepress'

const FOLDER = fileURLToPath(new URL('../..', import.meta.url))
/** The URL of the repository on GitHub. */
export const REPOSITORY = manifest.repository.url.replace(/^git\+|\.git$/g, '')

/** Turns links out of docs/ into links to the repository. */
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
 * Returns GitHub's id of a heading, so that a link to a heading works in the
 * repository and on the site.
 */
export const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** The colours of diagrams. */
const COLORS = {
  bg: 'var(--vp-c-bg)',
  fg: 'var(--vp-c-text-1)',
  transparent: true,
}

/**
 * Draws the Mermaid diagrams of the pages when the site is built, in the
 * colours of the theme.
 */
export function drawDiagrams({ renderer }: MarkdownRenderer): void {
  const { fence } = renderer.rules
  renderer.rules.fence = (tokens, i, ...rest) => {
    const { info, content } = tokens[i] as (typeof tokens)[number]
    if (info !== 'mermaid') return fence?.(tokens, i, ...rest) ?? ''
    // Removes the @import of the picture's style, which would load a font from
    // another host.
    const svg = renderMermaidSVG(content, COLORS).replace(/@import .+;\n/, '')
    // Vue accepts no <style> in a template, so an attribute contains the SVG,
    // encoded without quotes.
    const text = encodeURIComponent(svg).replaceAll("'", '%27')
    return `<div class="diagram" role="img" aria-label="${textIn(content)}" v-html="decodeURIComponent('${text}')"></div>`
  }
}

/** Returns the labels of a flowchart, in the order of its source. */
function textIn(diagram: string): string {
  const labels = [...diagram.matchAll(/[[(]"?([^[\]()"]+)"?[\])]/g)].map(
    ([, label]) => label,
  )
  return `Flow: ${labels.join(', then ').replaceAll('<br>', ': ')}`
}

/** The declarations that the examples of the guide use. */
const PRELUDE = `import { defineId, type IdOf } from 'typed-id'
const UserId = defineId('user')
type UserId = IdOf<typeof UserId>
const TeamId = defineId('team')
type TeamId = IdOf<typeof TeamId>
// ---cut---
`

const showErrors: ReturnType<typeof transformerTwoslash> = {
  name: 'show-errors',
  preprocess(code, { meta }) {
    if (!/\btwoslash\b/.test(meta?.__raw ?? '')) return code
    const shown = code.replace(/^ *\/\/ @ts-expect-error.*\n/gm, '')
    return /const UserId|import \{.*\bdefineId\b/.test(code)
      ? shown
      : PRELUDE + shown
  },
}

/**
 * Compiles the blocks marked with `twoslash` when the site is built. The site shows the compiler's errors in place of the
 * comments `@ts-expect-error`, which the tests of the examples need. Types on hover would take 19 kB of the first load.
 */
export const compileCode = [
  showErrors,
  transformerTwoslash({
    explicitTrigger: true,
    renderer: rendererRich({ errorRendering: 'line' }),
    twoslashOptions: {
      handbookOptions: { noErrorValidation: true },
      shouldGetHoverInfo: () => false,
    },
  }),
]

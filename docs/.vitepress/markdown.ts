/*
 * Adapts Markdown to the site. In the repository, links are relative.
 */
import { dirname, join, relative } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import type { MarkdownEnv, MarkdownRenderer } from 'vitepress'
import manifest from '../../packages/typed-id/package.json' with { type: 'json' }
import { recipePageOf } from './recipes.ts'

const FOLDER = fileURLToPath(new URL('../..', import.meta.url))
/** The URL of the repository on GitHub. */
export const REPOSITORY = manifest.repository.url.replace(/^git\+|\.git$/g, '')

export function extendMarkdown(md: MarkdownRenderer): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const { children } of tokens) if (children) linkToRepository(children, env)
  })
}

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** Turns links out of docs/ into links to the repository. */
function linkToRepository(tokens: Token[], { path, relativePath }: MarkdownEnv): void {
  for (const token of tokens) {
    const href = String(token.attrGet('href') ?? '')
    if (token.type !== 'link_open' || /^(\w+:|#|\/)/.test(href)) continue
    const target = pathInRepository(path, href)
    if (target.startsWith('docs/')) continue
    const recipe = recipePageOf(target)
    if (recipe) {
      token.attrSet('href', `${'../'.repeat(relativePath.split('/').length - 1) || './'}${recipe}.html`)
      continue
    }
    token.attrSet('href', `${REPOSITORY}/blob/HEAD/${target}`)
  }
}

/** Returns the path of a link's target, with its anchor: `docs/guide/ids.md#names`. */
export const pathInRepository = (document: string, target: string): string =>
  relative(FOLDER, join(dirname(document), target))

/** Returns GitHub's id of a heading, so that a link to a heading works in the repository and on the site. */
export const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

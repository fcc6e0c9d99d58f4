/*
 * Adapts Markdown to the site. In the repository, links are relative and the package has its workspace name.
 */
import { pathToFileURL } from 'node:url'
import { ROOT as ORIGIN } from 'typed-id/internal/release/identity.ts'
import { rename, resolveLink } from 'typed-id/internal/release/links.ts'
import { publishedName } from 'typed-id/internal/release/pack.ts'
import type { MarkdownEnv, MarkdownRenderer } from 'vitepress'
import { recipePageOf } from './recipes.ts'

export function extendMarkdown(
  md: MarkdownRenderer,
  name = publishedName(),
  repository = ORIGIN.repository,
): void {
  md.core.ruler.before('normalize', 'published-name', (state) => {
    state.src = rename(state.src, name)
  })
  // Renames in the highlighter, because VitePress inserts the code of other files only later.
  const { highlight } = md.options
  md.options.highlight = (code, ...rest) => highlight?.(rename(code, name), ...rest) ?? code
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const { children } of tokens) if (children) linkToRepository(children, env, repository)
  })
}

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** Turns links out of docs/ into links to the repository, or into text if the root package.json names none. */
function linkToRepository(tokens: Token[], { path, relativePath }: MarkdownEnv, repository?: string): void {
  for (const [i, token] of tokens.entries()) {
    const href = String(token.attrGet('href') ?? '')
    if (token.type !== 'link_open' || /^(\w+:|#|\/)/.test(href)) continue
    const target = resolveLink(pathToFileURL(path), href, repository)
    if (target.path.startsWith('docs/')) continue
    const recipe = recipePageOf(target.path)
    if (recipe) {
      token.attrSet('href', `${'../'.repeat(relativePath.split('/').length - 1) || './'}${recipe}.html`)
      continue
    }
    if (target.url) {
      token.attrSet('href', target.url)
      continue
    }
    const end = tokens.findIndex(({ type }, n) => n > i && type === 'link_close')
    for (const tag of [token, tokens[end]])
      Object.assign(tag as Token, { type: 'text', content: '', tag: '' })
  }
}

/** Returns GitHub's id of a heading, so that a link to a heading works in the repository and on the site. */
export const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

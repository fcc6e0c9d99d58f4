import { readFileSync, writeFileSync } from 'node:fs'
import { REPOSITORY } from 'testkit/repository.ts'
import { SUBPATHS } from '../subpaths.ts'
import { type Origin, ROOT } from './identity.ts'

/* Rewrites a document of the package for another name, such as `@your-scope/typed-id`. */
const subpaths = [...SUBPATHS.map(({ key }) => key.slice(2)).filter(Boolean), 'vectors\\.json'].join('|')

/*
 * The name stands in the first column of the table of imports, in quotes, after the commands that install or run it,
 * and before a subpath. Everywhere else `typed-id` is the command, which keeps its name, or the project.
 */
const NAME = new RegExp(
  `(?<=^\\| \`|from '|import '|import\\('|npm install |npx )typed-id(?![\\w-])|(?<![\\w@/-])typed-id(?=/(?:${subpaths})\\b)`,
  'gm',
)

/** Returns the text with each mention of the package in code, commands and subpaths renamed. */
export function rename(text: string, name: string): string {
  return text.replace(NAME, name)
}

/*
 * The README links to the pages in docs/ by relative paths, which work in the repository. On the page of a registry they
 * would lead nowhere, so the packed README has absolute ones. For JSR, which packs the working tree, `node
 * release/links.ts` rewrites the README in place.
 */
const README = new URL('../README.md', import.meta.url)

/** Returns the text of a document with each relative link leading to the site, if there is one, and else to the repository. */
export function toAbsoluteLinks(text: string, { repository, homepage }: Origin, document = README): string {
  return text.replace(/\]\((?!\w+:|#)([^)\s]+)\)/g, (link, target: string) => {
    const { path, url } = resolveLink(document, target, repository)
    const [, page] = /^docs\/(.+)\.md(?=#|$)/.exec(path) ?? []
    if (homepage && page)
      return `](${homepage.replace(/\/$/, '')}/${page}.html${path.slice(`docs/${page}.md`.length)})`
    return url ? `](${url})` : link
  })
}

/**
 * Returns the file that a relative link of a document leads to: its path in the repository, such as
 * `docs/guide/ids.md#names`, and its URL on GitHub, or undefined while the repository is not known.
 */
export function resolveLink(
  document: URL,
  target: string,
  repository: string | undefined,
): { path: string; url: string | undefined } {
  const path = new URL(target, document).href.slice(REPOSITORY.href.length)
  return { path, url: repository && `${repository}/blob/HEAD/${path}` }
}

if (import.meta.main) {
  writeFileSync(README, toAbsoluteLinks(readFileSync(README, 'utf8'), ROOT))
}

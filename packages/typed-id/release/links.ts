/*
 * The README links to the pages in docs/ by relative paths, which work in the repository. On the page of a registry they
 * would lead nowhere, so the packed README has absolute ones. For JSR, which packs the working tree, `node
 * release/links.ts` rewrites the README in place.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { type Origin, ROOT } from './identity.ts'

/** Returns the text with each relative link leading to the site, if there is one, and else to the repository. */
export function toAbsoluteLinks(text: string, { repository, homepage }: Origin): string {
  return text.replace(/\]\((?!\w+:|#)([^)\s]+)\)/g, (link, target: string) => {
    const path = join('packages/typed-id', target)
    const [, page] = /^docs\/(.+)\.md(?=#|$)/.exec(path) ?? []
    if (homepage && page)
      return `](${homepage.replace(/\/$/, '')}/${page}.html${path.slice(`docs/${page}.md`.length)})`
    return repository ? `](${repository}/blob/HEAD/${path})` : link
  })
}

if (import.meta.main) {
  const README = new URL('../README.md', import.meta.url)
  writeFileSync(README, toAbsoluteLinks(readFileSync(README, 'utf8'), ROOT))
}

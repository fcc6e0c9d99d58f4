/*
 * The README links to the pages in docs/ by relative paths, which work in the repository. On the page of a registry they
 * would lead nowhere, so the packed README has absolute ones.
 */
import { join } from 'node:path/posix'
import type { Origin } from './identity.ts'

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

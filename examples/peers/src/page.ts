import { formatTable, replaceSection } from '../../../docs/tables.ts'
import { findFacts } from './facts.ts'
import { PEERS } from './peers.ts'

export const PAGE = new URL('../../../docs/comparison.md', import.meta.url)

/** Returns the page with the facts about each library, found by running it. */
export function updatePage(page: string): string {
  return replaceSection(page, 'peers', formatTable(findFacts(PEERS)))
}

/* The table of docs/comparison.md: `pnpm --filter documents facts` writes it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { REPOSITORY } from 'testkit/repository.ts'
import { formatTable, replaceSection } from 'testkit/tables.ts'
import { findFacts } from './facts.ts'
import { PEERS } from './peers.ts'

export const PAGE = new URL('docs/comparison.md', REPOSITORY)

/** Returns the page with the facts about each library, found by running it. */
export function updatePage(page: string): string {
  return replaceSection(page, 'peers', formatTable(findFacts(PEERS)))
}

if (import.meta.main) writeFileSync(PAGE, updatePage(readFileSync(PAGE, 'utf8')))

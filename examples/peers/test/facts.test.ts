import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatTable } from '../src/facts.ts'
import { PEERS } from '../src/peers.ts'

// If this fails after a change of a package, paste the output of `pnpm --filter peers facts` into the README.
test('the comparison in the README of typed-id is true', { timeout: 60_000 }, () => {
  const readme = readFileSync(new URL('../../../packages/typed-id/README.md', import.meta.url), 'utf8')
  const [, stated] = /<!-- peers -->\n((?:.|\n)+?)\n<!-- \/peers -->/.exec(readme) ?? []
  expect(cells(stated ?? '')).toEqual(cells(formatTable(PEERS)))
})

/** Removes the spaces and dashes that align the columns of a table. */
const cells = (markdown: string) => markdown.replace(/ +/g, ' ').replace(/-{3,}/g, '---').split('\n')

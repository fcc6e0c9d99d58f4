import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { table } from '../src/facts.ts'
import { PEERS } from '../src/peers.ts'

// After a change of a peer: paste what `pnpm --filter peers facts` prints into the README.
test('the README of typed-id compares what is so', { timeout: 60_000 }, () => {
  const readme = readFileSync(new URL('../../../packages/typed-id/README.md', import.meta.url), 'utf8')
  const [, stated] = /<!-- peers -->\n((?:.|\n)+?)\n<!-- \/peers -->/.exec(readme) ?? []
  expect(cells(stated ?? '')).toEqual(cells(table(PEERS)))
})

/** Without the spaces and dashes that line a table up. */
const cells = (markdown: string) => markdown.replace(/ +/g, ' ').replace(/-{3,}/g, '---').split('\n')

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PAGE, updatePage } from './facts.ts'

test('the comparison of docs/comparison.md is true, else run "pnpm --dir integrations facts"', () => {
  const page = readFileSync(PAGE, 'utf8')
  expect(page).toBe(updatePage(page))
})

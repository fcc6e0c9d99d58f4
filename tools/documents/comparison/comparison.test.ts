import { readFileSync } from 'node:fs'
import { uuidv7 } from 'typed-id'
import { describe, expect, test } from 'vitest'
import { PAGE, updatePage } from './facts.ts'
import { exchange, IMPLEMENTATIONS, PREFIXES } from './typeids.ts'

const uuids = Array.from({ length: 200 }, () => uuidv7())
const names = Object.keys(IMPLEMENTATIONS)
const pairs = names.flatMap((writer) => names.map((reader) => [writer, reader] as const))

describe.each(pairs)('the version 7 TypeIDs of %s', (writer, reader) => {
  test(`are read by ${reader}`, () => {
    const found = exchange(
      IMPLEMENTATIONS[writer] as (typeof IMPLEMENTATIONS)[string],
      IMPLEMENTATIONS[reader] as (typeof IMPLEMENTATIONS)[string],
      uuids,
    )
    const lettersOnly = [writer, reader].includes('typed-id defineId')
    expect(found).toEqual(
      PREFIXES.map((prefix) => (lettersOnly && !/^[a-z]+$/.test(prefix) ? '–' : `${uuids.length} of 200`)),
    )
  })
})

test('every implementation writes the same text', () => {
  for (const prefix of PREFIXES) {
    const texts = Object.entries(IMPLEMENTATIONS)
      .filter(([name]) => name !== 'typed-id defineId' || /^[a-z]+$/.test(prefix))
      .map(([, { write }]) => write(prefix, uuids[0] as string))
    expect(new Set(texts).size).toBe(1)
  }
})

test('the comparison of docs/comparison.md is true, else run "pnpm --filter documents facts"', () => {
  const page = readFileSync(PAGE, 'utf8')
  expect(page).toBe(updatePage(page))
})

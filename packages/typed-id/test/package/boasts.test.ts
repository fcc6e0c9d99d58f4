import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findUntrue, keepSlowestPeers, readPage, readTable } from '../../bench/documents.ts'

const page = readPage()
const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('the five rows of the README are rows of the page', () => {
  const rowsOf = (document: string) =>
    readTable(document).map(({ text, operation }) => [
      operation,
      ...text.replaceAll(' ', '').split('|').slice(3),
    ])
  const rows = rowsOf(read('../../README.md'))
  expect(rows).toHaveLength(5)
  expect(rowsOf(page)).toEqual(expect.arrayContaining(rows))
})

test('every row of the table is a claim with an operation, a peer and a ratio', () => {
  const rows = page.match(/^\|.*\d x \|$/gm) ?? []
  const boasts = readTable(page)
  expect(boasts.map(({ text }) => text)).toEqual(rows)
  expect(boasts.length).toBeGreaterThan(15)
  expect(boasts.find(({ peer }) => peer === 'typeid-js functions')?.operation).toBe('generate')
  for (const { operation, peer, ratio } of boasts) {
    expect(operation).toMatch(/\S/)
    expect(peer).toMatch(/\S/)
    expect(ratio).toBeGreaterThan(0)
  }
})

test('a claim is untrue when its ratio is below the margin or was not measured', () => {
  const boasts = [
    { text: 'a', operation: 'is', peer: 'RegExp', ratio: 2 },
    { text: 'b', operation: 'is', peer: 'uuid', ratio: 4 },
  ]
  const measured = (_: string, peer: string) => (peer === 'RegExp' ? 1.8 : undefined)
  expect(findUntrue(boasts, measured, 0.8)).toEqual([
    'no longer true: "b": measured NaN x, expected at least 3.20 x',
  ])
  expect(findUntrue(boasts, measured, 0.95)).toHaveLength(2)
  expect(keepSlowestPeers(boasts).map(({ peer }) => peer)).toEqual(['uuid'])
})

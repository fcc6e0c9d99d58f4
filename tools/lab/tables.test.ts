import { formatTable, replaceSection } from 'testkit/tables.ts'
import { expect, test } from 'vitest'

test('a table is aligned Markdown, in which columns of numbers are on the right', () => {
  const rows = [
    ['a | b', 1200, '0.20'],
    ['c', 3, '12.50'],
  ]
  expect(formatTable({ columns: ['killed', 'times', 'join, µs'], rows })).toBe(
    [
      '| killed | times | join, µs |',
      '| ------ | ----: | -------: |',
      '| a \\| b | 1,200 |     0.20 |',
      '| c      |     3 |    12.50 |',
    ].join('\n'),
  )
})

test('a section of a document is replaced, and the rest is unchanged', () => {
  const document = 'before\n\n<!-- kill -->\n\nold\n\n<!-- /kill -->\n\nafter\n'
  expect(replaceSection(document, 'kill', 'new')).toBe(document.replace('old', 'new'))
})

test.each(['no markers', '<!-- kill --> not closed', '<!-- kill --><!-- kill --><!-- /kill -->'])(
  'a document "%s" without exactly one section is rejected',
  (document) => {
    expect(() => replaceSection(document, 'kill', 'new')).toThrow(
      'expected one section between the lines <!-- kill --> and <!-- /kill -->',
    )
  },
)

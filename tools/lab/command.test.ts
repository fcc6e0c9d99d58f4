import { formatTable, replaceSection } from 'testkit/tables.ts'
import { describe, expect, test } from 'vitest'
import { choice, choices, number, parseOptions, text } from './kit/command.ts'

const OPTIONS = {
  rounds: number('rounds', 5),
  delay: number('delay', 0),
  log: choice('log', ['off', 'on']),
  only: choices('workloads', ['user', 'team']),
  section: text('section'),
}

describe('the options of a command', () => {
  test('have defaults', () => {
    expect(parseOptions(OPTIONS, [])).toEqual({
      ...{ rounds: 5, delay: 0, log: 'off', only: ['user', 'team'], section: undefined },
    })
    const args = ['--rounds', '0.5', '--delay', '0', '--log', 'on', '--only', 'team', '--section', 'x']
    expect(parseOptions(OPTIONS, args)).toEqual({
      ...{ rounds: 0.5, delay: 0, log: 'on', only: ['team'], section: 'x' },
    })
  })

  test.each([
    [['--rounds', 'x'], '--rounds must be a number above 0, received "x"'],
    [['--rounds', '0'], '--rounds must be a number above 0, received "0"'],
    [['--log', 'off,on'], '--log must be one of off, on, received "off,on"'],
    [['--only', 'user,role'], '--only must be some of user, team, separated by commas, received "user,role"'],
    [['--nope', '1'], "Unknown option '--nope'"],
  ])('reject %j', (args, message) => {
    expect(() => parseOptions(OPTIONS, args)).toThrow(message)
  })
})

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

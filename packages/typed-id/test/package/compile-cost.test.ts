import { expect, test } from 'vitest'
import { compile } from '../../bench/compile.ts'

/** Encodes `i` as three letters, because TypeID prefixes have no digits. */
const letters = (i: number) =>
  [i / 676, i / 26, i].map((n) => String.fromCharCode(97 + (n % 26))).join('')

test.each<[string, string, (i: number) => string, number]>([
  ['short prefixes', '', (i) => `type${i}`, 140_000],
  ['prefixes of 62 letters', '', (i) => `${i}`.padStart(62, 'a'), 1_000_000],
  ['short prefixes', '/typeid', (i) => `type_${letters(i)}`, 140_000],
  [
    'prefixes of 62 letters',
    '/typeid',
    (i) => letters(i).padStart(62, 'a_'),
    1_000_000,
  ],
])(
  '500 id types with %s of typed-id%s stay below the budget of instantiations',
  (_, subpath, prefix, budget) => {
    const define = subpath ? 'defineTypeId' : 'defineId'
    const lines = Array.from(
      { length: 500 },
      (_, i) => `export const T${i} = ${define}('${prefix(i)}')`,
    )
    const text = `import { ${define} } from 'typed-id${subpath}'\n${lines.join('\n')}\n`
    const { messages, instantiations } = compile(text)
    expect(messages).toEqual([])
    expect(instantiations).toBeLessThan(budget)
  },
  60_000,
)

test.each([
  ['', 'defineId', 'UseParse'],
  ['/typeid', 'defineTypeId', 'UseParseShort'],
])(
  'the error for a string instead of an id of typed-id%s names the parse function to call',
  (subpath, define, hint) => {
    const { messages } = compile(`import { ${define} } from 'typed-id${subpath}'
const UserId = ${define}('user')
UserId.toUuid('' as string)
UserId.toUuid('user-1')
`)
    const expected = expect.stringContaining(
      `'string' is not assignable to type '${hint}<"user">'`,
    )
    expect(messages).toEqual([expected, expected])
  },
  60_000,
)

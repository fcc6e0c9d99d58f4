import { defineId, toBase62 } from 'typed-id'
import { expect, test } from 'vitest'
import { findTime, formatTime, formsOf, splitId } from '../src/facts.ts'
import { newId, read } from '../src/read.ts'

const UserId = defineId('user')
const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'
const HEX = UUID.replaceAll('-', '')
const SUFFIX = '01j0b3v1mmeedtx9cpdgkfhbch'
const SHORT = `user_${SUFFIX}`
const A63 = 'a'.repeat(63)

test.each([
  [`${A63}-${UUID}`, 'Typed id, standard form', A63],
  [` <("${SHORT}");\n`, 'Typed id, short form (TypeID)', 'user'],
  [`order_line_${SUFFIX}`, 'Typed id, short form (TypeID)', 'order_line'],
  [SUFFIX, 'TypeID without its type', ''],
  [toBase62(UserId, UserId.example), 'Typed id, base 62', 'user'],
  [UUID.toUpperCase(), 'UUID', ''],
  [`urn:uuid:${UUID}`, 'UUID', ''],
  [`\\x${HEX}`, 'UUID', ''],
  [`0x${HEX}`, 'UUID', ''],
])('%s is read as: %s, of the type "%s"', (text, name, prefix) => {
  expect(read(text)).toEqual({ kind: 'id', name, id: { prefix, uuid: UUID } })
})

const TIME = '2022-02-22T19:22:22.000Z'

test.each([
  [
    'c232ab00-9414-11ec-b3c8-9f6bdeced846',
    '1: time and node',
    'time version time and clock node',
    TIME,
  ],
  [
    '919108f7-52d1-4320-9bac-f847db4148a8',
    '4: random',
    'random version random random',
    '',
  ],
  [
    '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    '5: name, by SHA-1',
    'hash version hash hash',
    '',
  ],
  [
    '1ec9414c-232a-6b00-b3c8-9f6bdeced846',
    '6: time and node, in order',
    'time version time and clock node',
    TIME,
  ],
  [
    'ffffffff-ffff-7fff-bfff-ffffffffffff',
    '7: time and random, in order',
    'time version counter random',
    '10889-08-02T05:31:50.655Z',
  ],
  [
    '2489e9ad-2ee2-8e00-8ec9-32d5f69181c0',
    '8: custom',
    'data version data data',
    '',
  ],
  [
    '00000000-0000-0000-0000-000000000000',
    'nil: all bits 0',
    'data data data data',
    '',
  ],
  [
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'max: all bits 1',
    'data data data data',
    '',
  ],
  [
    '0190163d-8694-739b-cea5-966c26f8ad91',
    'none: not defined by RFC 9562',
    'data data data data',
    '',
  ],
])('%s has the version %s and the parts %s', (uuid, name, labels, created) => {
  const id = { prefix: '', uuid }
  expect(formsOf(id).more.Version).toBe(name)
  const parts = splitId(id)
  expect(parts.map(([text]) => text).join('')).toBe(uuid)
  expect(parts.flatMap(([, label]) => label ?? []).join(' ')).toBe(labels)
  const time = findTime(uuid)
  expect(time === undefined ? '' : formatTime(time)).toBe(created)
})

test.each([
  ['user', 'Standard, Short, UUID'],
  ['order_line', 'Short, UUID'],
  ['', 'Base 32, UUID'],
])('the main forms of an id of the type "%s" are %s', (prefix, forms) => {
  const { main } = formsOf({ prefix, uuid: UUID })
  expect(Object.keys(main).join(', ')).toBe(forms)
})

const SEPARATOR = 'A separator is missing, or is another character.'
const CASE = 'Ids are in lower case.'
const [READ_AS_0, READ_AS_1] = ['O was read as 0.', 'I was read as 1.']

test.each([
  ['USER_O1JOB3V1MMEEDTX9CPDGKFHBCH', SHORT, 'OO', [READ_AS_0, CASE]],
  [
    SHORT.toUpperCase(),
    SHORT,
    SHORT.toUpperCase().replace(/[^A-Z]/g, ''),
    [CASE],
  ],
  [SHORT.replace('_0', 'o'), SHORT, 'o', [READ_AS_0, SEPARATOR]],
  [UUID.replace('01', 'OI'), UUID, 'OI', [READ_AS_0, READ_AS_1, CASE]],
  [
    `user\u2212${UUID.replace('0', 'o')}`,
    `user-${UUID}`,
    '\u2212o',
    [READ_AS_0, SEPARATOR],
  ],
])('%s probably means %s', (text, expected, marked, messages) => {
  expect(read(text)).toEqual({
    kind: 'typo',
    expected,
    id: expect.objectContaining({ uuid: UUID }),
    mistakes: { text, marks: expect.anything(), messages },
  })
  expect(markedIn(text)).toBe(marked)
})

function markedIn(text: string): string {
  const result = read(text)
  const marks = 'mistakes' in result ? result.mistakes.marks : []
  return marks.map((at) => text.charAt(at)).join('')
}

test.each([
  [
    `user: ${UUID.slice(0, -1)}`,
    '',
    ['The separator is ": " instead of "-".', '31 of 32 digits.'],
  ],
  [UUID.replace('a5', 'g5'), 'g', ['g is not hexadecimal.']],
  [`${A63}-${UUID.replace('0', 'z')}`, 'z', ['z is not hexadecimal.']],
  [
    `user-${UUID.replace('d-8694', '-d8694')}`,
    '',
    ['The groups have 7, 5, 4, 4, 12 digits instead of 8, 4, 4, 4, 12.'],
  ],
  [
    `us\u0435\u03c1\u200b-${UUID}`,
    '\u0435\u03c1\u200b',
    [
      'Character 3 is the Cyrillic letter \u0435 (U+0435).',
      'Character 4 is the Greek letter \u03c1 (U+03C1).',
      'Character 5 is invisible (U+200B).',
    ],
  ],
  [
    `my_user-${UUID}`,
    '',
    ['The type "my_user" may have ASCII letters and digits only.'],
  ],
  [
    `Order_line_${SUFFIX}`,
    '',
    ['The type "Order_line" may have lowercase letters and _ only.'],
  ],
  ['User2_81j0b3v1mmeedtx9cpdgkfhbc', '', ['25 of 26 digits.']],
  [
    'order_line_81j0b3v1mmeedtx9cpdgkfhbcu',
    '8u',
    [
      'u is not a digit of base 32.',
      'The first digit is above 7, so the number has more than 128 bits.',
    ],
  ],
  [`${A63}a-${UUID}`, '', ['The type has more than 63 characters.']],
])(
  '%s is not an id, with the wrong characters "%s"',
  (text, marked, messages) => {
    expect(read(text)).toEqual({
      kind: 'invalid',
      mistakes: { text, marks: expect.anything(), messages },
    })
    expect(markedIn(text)).toBe(marked)
  },
)

test.each([
  '01ARZ3NDEKTSV4RRFFQ69G5FAV', // a ULID, which has no type
  'get_organizationmembershiplist',
  'get_9rganizationmembershiplist()',
  `user-${UUID.slice(1)}/x`,
  `team_${'z'.repeat(22)}`, // more than 128 bits
  '\u043f\u0440\u0438-\u0432\u0435\u0442',
  '\u043a\u0430\u043a \u0434\u0435\u043b\u0430 \u0441\u0435\u0433\u043e\u0434\u043d\u044f \u0434\u0435\u043b\u0430?',
  'da39a3ee5e6b4b0d3255bfef95601890afd80709',
])('"%s" has no ids', (text) => {
  expect(read(text)).toEqual({ kind: 'text', ids: [] })
})

test('ids and UUIDs are listed once, in their order', () => {
  const text = `Zo\u00eb\u200b: user-${UUID} ${UUID.toUpperCase()}\nGET /teams/team%5F${SUFFIX} user-${UUID}
    "\\trole%2d${UUID}" %2Forder\u2212${UUID} AUDIT_O1JOB3VIMMEEDTX9CPDGKFHBCH da39a3ee5e6b4b0d3255bfef95601890afd80709`
  expect(read(text)).toEqual({
    kind: 'text',
    ids: [
      `user-${UUID}`,
      UUID,
      `team_${SUFFIX}`,
      `role-${UUID}`,
      `order-${UUID}`,
      `audit_${SUFFIX}`,
    ].map((text) => ({
      prefix: /^([a-z]+)[-_]/.exec(text)?.[1] ?? '',
      uuid: UUID,
      text,
    })),
  })
})

test('a new id has the type of the input, or is one of a user', () => {
  expect(newId(`team_${SUFFIX}`)).toMatch(/^team-/)
  expect(newId(`team_1${'0'.repeat(19)}`)).toMatch(/^team-/)
  for (const text of ['hello', UUID, `order_line_${SUFFIX}`])
    expect(UserId.is(newId(text)), text).toBe(true)
})

import { defineId, toBase62 } from 'typed-id'
import { expect, test } from 'vitest'
import { findTime, formatTime, splitId } from '../src/facts.ts'
import { newId, read } from '../src/read.ts'

const UserId = defineId('user')
const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'
const SHORT = 'user_01j0b3v1mmeedtx9cpdgkfhbch'

test.each([
  [`user-${UUID}`, 'user'],
  [SHORT, 'user'],
  [toBase62(UserId, UserId.example), 'user'],
  ['order_line_01j0b3v1mmeedtx9cpdgkfhbch', 'order_line'],
  [`"${SHORT}",`, 'user'],
  [UUID.toUpperCase(), ''],
  [`urn:uuid:${UUID}`, ''],
  [UUID.replaceAll('-', ''), ''],
  [SHORT.slice(5), ''],
])('%s is read as an id of type "%s"', (text, prefix) => {
  expect(read(text)).toMatchObject({ kind: 'id', id: { prefix, uuid: UUID } })
})

/**
 * UUIDs of several versions for the same time (RFC 9562, appendices A and B).
 */
test.each([
  [
    'c232ab00-9414-11ec-b3c8-9f6bdeced846',
    'time version time and clock node',
    '2022-02-22T19:22:22.000Z',
  ],
  ['5df41881-3aed-3515-88a7-2f4a814cf09e', 'hash version hash hash', ''],
  ['919108f7-52d1-4320-9bac-f847db4148a8', 'random version random random', ''],
  [
    '1ec9414c-232a-6b00-b3c8-9f6bdeced846',
    'time version time and clock node',
    '2022-02-22T19:22:22.000Z',
  ],
  [
    '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
    'time version counter random',
    '2022-02-22T19:22:22.000Z',
  ],
  ['2489e9ad-2ee2-8e00-8ec9-32d5f69181c0', 'data version data data', ''],
  ['00000000-0000-0000-0000-000000000000', 'data data data data', ''],
])('the parts of %s are %s', (uuid, labels, created) => {
  const parts = splitId({ prefix: '', uuid })
  expect(parts.map(([text]) => text).join('')).toBe(uuid)
  expect(parts.flatMap(([, label]) => label ?? []).join(' ')).toBe(labels)
  const time = findTime(uuid)
  expect(time === undefined ? '' : formatTime(time)).toBe(created)
})

test.each([
  ['USER_O1JOB3V1MMEEDTX9CPDGKFHBCH', SHORT, [5, 8], 'O was read as 0.'],
  [SHORT.toUpperCase(), SHORT, [0, 1, 2, 3], 'Ids are in lower case.'],
  [
    SHORT.replace('_', ''),
    SHORT,
    [],
    'A separator is missing, or is another character.',
  ],
  [UUID.replace('01', 'OI'), UUID, [0, 1], 'I was read as 1.'],
  [
    `user\u2013${UUID}`,
    `user-${UUID}`,
    [4],
    'A separator is missing, or is another character.',
  ],
])('%s probably means %s', (text, expected, marks, message) => {
  const result = read(text)
  expect(result).toMatchObject({ kind: 'typo', expected, id: { uuid: UUID } })
  const mistakes =
    result.kind === 'typo' ? result.mistakes : { marks: [], messages: [] }
  expect(mistakes.marks.slice(0, marks.length)).toEqual(marks)
  expect(mistakes.messages).toContain(message)
})

test.each([
  [`user-${UUID.slice(0, -1)}`, '31 of 32 digits.'],
  [`user-${UUID.replace('a5', 'g5')}`, 'g is not hexadecimal.'],
  [
    `user-${UUID.replace('d-8694', '-d8694')}`,
    'The groups have 7, 5, 4, 4, 12 digits instead of 8, 4, 4, 4, 12.',
  ],
  [`user\u200b-${UUID.slice(0, -1)}`, 'Character 5 is invisible (U+200B).'],
  [`us\u0435r-${UUID}`, 'Character 3 is the Cyrillic letter \u0435 (U+0435).'],
  [
    `my.user-${UUID}`,
    'The type "my.user" may have ASCII letters and digits only.',
  ],
  ['user_01j0b3v1mmeedtx9cpdgkfhbc', '25 of 26 digits.'],
  [
    'user_81j0b3v1mmeedtx9cpdgkfhbch',
    'The first digit is above 7, so the number has more than 128 bits.',
  ],
  [`${'a'.repeat(64)}-${UUID}`, 'The type has more than 63 characters.'],
])('%s is not an id: %s', (text, message) => {
  const result = read(text)
  expect(result.kind === 'invalid' && result.mistakes.messages).toContain(
    message,
  )
})

test.each([
  'hello',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV', // a ULID, which has no type
  'user_profile',
  '2024-06-14T10:14:09.300Z',
  'da39a3ee5e6b4b0d3255bfef95601890afd80709',
])('"%s" has no ids', (text) => {
  expect(read(text)).toEqual({ kind: 'text', ids: [] })
})

test('ids and UUIDs are listed once, in their order', () => {
  const text = `Zoë: user-${UUID} ${UUID}\nGET /teams/team_01j0b3v1mmeedtx9cpdgkfhbch user-${UUID}
    "\\nrole-${UUID}" %2Forder-${UUID} AUDIT_O1JOB3VIMMEEDTX9CPDGKFHBCH da39a3ee5e6b4b0d3255bfef95601890afd80709`
  expect(read(text)).toMatchObject({
    kind: 'text',
    ids: [
      { prefix: 'user' },
      { prefix: '', text: UUID },
      { prefix: 'team', uuid: UUID },
      { prefix: 'role', uuid: UUID },
      { prefix: 'order', uuid: UUID },
      { prefix: 'audit', uuid: UUID },
    ],
  })
})

test('a new id has the type of the input, or is one of a user', () => {
  expect(newId('team_01j0b3v1mmeedtx9cpdgkfhbch')).toMatch(/^team-/)
  expect(newId(`team_1${'0'.repeat(19)}`)).toMatch(/^team-/)
  for (const text of [
    '',
    'hello',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV', // a ULID, which has no type
    UUID,
    'order_line_01j0b3v1mmeedtx9cpdgkfhbch',
  ])
    expect(UserId.is(newId(text)), text).toBe(true)
})

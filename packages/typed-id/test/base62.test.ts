import { expect, test } from 'vitest'
import { fromBase62, toBase62 } from '../src/functions/base62.ts'
import { defineId } from '../src/index.ts'
import vectors from './vectors/base62.json' with { type: 'json' }

const UserId = defineId('user')

test.each<[uuid: string, text: string]>([
  ['550e8400-e29b-41d4-a716-446655440000', 'user_2aUyqjCzEIiEcYMKj7TZtw'],
  ['00000000-0000-0000-0000-000000000000', 'user_0'],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'user_7n42DGM5Tflk9n8mt7Fhc7'],
  ...vectors.map(({ uuid, digits }) => [uuid, `user_${digits}`] as [string, string]),
])('base 62: %s is %s', (uuid, text) => {
  expect(toBase62(UserId, UserId.fromUuid(uuid))).toBe(text)
  expect(fromBase62(UserId, text)).toBe(`user-${uuid}`)
})

test.each([
  ['one more than 128 bits', 'user_7n42DGM5Tflk9n8mt7Fhc8', 'malformed_short'],
  ['the greatest 22 digits', `user_${'z'.repeat(22)}`, 'malformed_short'],
  ['23 digits', `user_1${'0'.repeat(22)}`, 'malformed_short'],
  ['a leading zero', 'user_01', 'malformed_short'],
  ['no digits', 'user_', 'malformed_short'],
  ['no separator', 'user', 'malformed_short'],
  ['no prefix', '_2aUyqjCzEIiEcYMKj7TZtw', 'malformed_short'],
  ['a prefix with a hyphen', 'us-er_2aUyqjCzEIiEcYMKj7TZtw', 'malformed_short'],
  ['a digit outside ASCII', 'user_2aUyqjCzEIiEcYMKj7TZt٣', 'malformed_short'],
  ['a line break', 'user_2aUyqjCzEIiEcYMKj7TZtw\n', 'malformed_short'],
  ['the standard form', UserId.example, 'malformed_short'],
  ['the short form of the core', UserId.toShort(UserId.example), 'malformed_short'],
  ['another type', 'team_2aUyqjCzEIiEcYMKj7TZtw', 'wrong_type'],
  ['another case of the prefix', 'User_2aUyqjCzEIiEcYMKj7TZtw', 'wrong_type'],
  ['a number', 2, 'not_a_string'],
  ['an object with string methods', { toString: () => 'user_0', indexOf: () => 4 }, 'not_a_string'],
])('base 62: %s is rejected', (_, text, code) => {
  expect(() => fromBase62(UserId, text as string)).toThrow(expect.objectContaining({ code }))
})

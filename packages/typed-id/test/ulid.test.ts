import { decodeTime, ulid } from 'ulid'
import { expect, test } from 'vitest'
import { defineId, fromUlid, toUlid, ulidTime } from '../src/index.ts'

const UserId = defineId('user')

test.each<[time: number, text: string]>([
  [0, '00000000000000000000000000'],
  [1718360049300, '01J0B3V1MMEEDTX9CPDGKFHBCH'],
  [2 ** 48 - 1, '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'],
  ...[1, 1_800_000_000_000, 2 ** 48 - 1].map((time) => [time, ulid(time)] as [number, string]),
])('a ULID of %s ms becomes an id with its time, and the id becomes the ULID', (time, text) => {
  const id = fromUlid(UserId, text)
  expect(UserId.is(id)).toBe(true)
  expect(toUlid(UserId, id)).toBe(text)
  expect(ulidTime(UserId, id).getTime()).toBe(time)
  expect(decodeTime(text)).toBe(time)
  expect(fromUlid(UserId, text.toLowerCase())).toBe(id)
})

test('ids sort as their ULIDs do', () => {
  const ulids = Array.from({ length: 1000 }, (_, i) => ulid(2 ** (i % 48)))
  const ids = ulids.map((text) => fromUlid(UserId, text))
  expect(ids.sort().map((id) => toUlid(UserId, id))).toEqual(ulids.sort())
})

test('ulidTime and timestamp return the same time of a version 7 id', () => {
  expect(ulidTime(UserId, UserId.example)).toEqual(UserId.timestamp(UserId.example))
})

test.each([
  ['more than 128 bits', '80000000000000000000000000', 'malformed_short'],
  ['25 digits', '01J0B3V1MMEEDTX9CPDGKFHBC', 'malformed_short'],
  ['27 digits', '01J0B3V1MMEEDTX9CPDGKFHBCH0', 'malformed_short'],
  ['the letter U', '01J0B3V1MMEEDTX9CPDGKFHBCU', 'malformed_short'],
  ['a Kelvin sign, whose lower case is k', '01J0B3V1MMEEDTX9CPDG\u212aFHBCH', 'malformed_short'],
  ['a line break', '01J0B3V1MMEEDTX9CPDGKFHBCH\n', 'malformed_short'],
  ['an id', 'user_01j0b3v1mmeedtx9cpdgkfhbch', 'malformed_short'],
  ['an array of a ULID', ['01J0B3V1MMEEDTX9CPDGKFHBCH'], 'not_a_string'],
  ['null', null, 'not_a_string'],
])('fromUlid rejects %s', (_, value, code) => {
  expect(() => fromUlid(UserId, value as string)).toThrow(expect.objectContaining({ code }))
})

test('toUlid and ulidTime reject an id of another type', () => {
  const id = defineId('team').example as string as typeof UserId.example
  expect(() => toUlid(UserId, id)).toThrow('expected user, received team')
  expect(() => ulidTime(UserId, id)).toThrow('expected user, received team')
})

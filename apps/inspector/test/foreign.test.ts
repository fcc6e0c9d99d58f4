import { describe, expect, test } from 'vitest'
import { findForeign } from '../src/foreign.ts'
import { findNearMiss } from '../src/near-miss.ts'

const NOW = Date.UTC(2026, 10, 1)

/** The examples of the specification or of the documentation of each kind: the first reading and its facts. */
const VECTORS: readonly (readonly [text: string, kind: string, facts: Record<string, string>])[] = [
  ['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'ULID', { Created: '2016-07-30T23:54:10.259Z' }],
  ['7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'ULID', { Created: '+010889-08-02T05:31:50.655Z' }],
  ['507c7f79bcf86cd7994f6c0e', 'ObjectId (MongoDB)', { Created: '2012-10-15T21:26:17.000Z' }],
  ['ObjectId("507f191e810c19729de860ea")', 'ObjectId (MongoDB)', { Counter: '15229162' }],
  [
    '0ujtsYcgvSTl8PAuAdqWYSMnLOv',
    'KSUID',
    { Created: '2017-10-10T04:00:47.000Z', Random: 'b5a1cd34b5f99d1154fb6853345c9735' },
  ],
  [
    '9m4e2mr0ui3e8a215n4g',
    'XID',
    { Created: '2011-03-22T17:50:19.000Z', Machine: '60f486', Process: '58408', Counter: '4271561' },
  ],
  ['0ARYZVZXW377R', 'TSID', { Number: '388400145978465528' }],
  ['1541815603606036480', 'Snowflake of X (Twitter)', { Created: '2022-06-28T16:07:40.105Z' }],
  // The UUIDs of RFC 9562, appendix A.3 and A.6, with the bytes of their first three groups in reverse.
  [
    'f7089191-d152-2043-9bac-f847db4148a8',
    'UUID of version 4 in the byte order of .NET',
    { UUID: '919108f7-52d1-4320-9bac-f847db4148a8' },
  ],
  [
    'e2227f01-b079-c37c-98c4-dc0c0c07398f',
    'UUID of version 7 in the byte order of .NET',
    { UUID: '017f22e2-79b0-7cc3-98c4-dc0c0c07398f', Created: '2022-02-22T19:22:22.000Z' },
  ],
  ['cus_NffrFeUfNV2Hib', 'Id in the style of Stripe', { Type: 'cus' }],
  ['V1StGXR8_Z5jdHi6B-myT', 'nanoid', {}],
  ['tz4a98xxat96iws9zmbrgj3a', 'cuid2', {}],
]

test.each(VECTORS)('%s is read as %s', (text, kind, facts) => {
  const [first] = findForeign(text, NOW)
  expect(first?.kind).toBe(kind)
  expect(Object.fromEntries(first?.facts.map(({ name, value }) => [name, value]) ?? [])).toMatchObject(facts)
})

test('a number of 64 bits has a reading for each service that may have created it', () => {
  const created = findForeign('175928847299117063', NOW).map(({ kind, facts }) => [kind, facts[0]?.value])
  expect(created).toContainEqual(['Snowflake of Discord', '2016-04-30T11:18:25.796Z'])
  expect(created.length).toBeGreaterThan(1)
  for (const { likelihood } of findForeign('175928847299117063', NOW)) expect(likelihood).toBe('may be')
})

test.each(['', 'hello', 'user_profile', '42', 'electroencephalographic ally'])(
  '"%s" is of no other kind',
  (text) => {
    expect(findForeign(text, NOW)).toEqual([])
  },
)

const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'

test('a UUID of a usual version has no reading in another byte order', () => {
  expect(findForeign('919108f7-52d1-4320-9bac-f847db4148a8', NOW)).toEqual([])
})

describe('a near miss', () => {
  test.each([
    [`user-${UUID.slice(0, -1)}`, 'The uuid has 31 of 32 digits.'],
    [`user-${UUID}0`, 'The uuid has 33 of 32 digits.'],
    [`user-${UUID.replace('a5', 'g5')}`, 'No hexadecimal digit: g at position 27.'],
    [`user-${UUID.replace('d-8694', '-d8694')}`, 'The groups of digits have the lengths 7, 5, 4, 4, 12'],
    [`user\u200b-${UUID}`, 'Character 5 is invisible (U+200B).'],
    [`usеr-${UUID}`, 'Character 3 is the Cyrillic letter е (U+0435), not e.'],
    [`my.user-${UUID}`, 'The prefix "my.user" has a character'],
    ['user_01j0b3v1mmeedtx9cpdgkfhbc', 'The short form has 25 of 26 digits.'],
    ['user_81j0b3v1mmeedtx9cpdgkfhbch', 'The first digit is above 7'],
    ['user_1_01j0b3v1mmeedtx9cpdgkfhbch', 'The prefix "user_1" has a character that is no lowercase letter'],
    [`${'a'.repeat(64)}-${UUID}`, 'The prefix has 64 characters, and may have 63.'],
  ])('%s: %s', (text, message) => {
    expect(findNearMiss(text).join('\n')).toContain(message)
  })

  test.each(['', 'hello', 'user_profile', 'привет', '2024-06-14T10:14:09.300Z', 'a-b-c-d-e'])(
    '"%s" is none',
    (text) => {
      expect(findNearMiss(text)).toEqual([])
    },
  )
})

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { REPOSITORY } from 'testkit/documents.ts'
import { expect, test } from 'vitest'
import { correctId, parseLoose } from '../src/forms/loose.ts'
import { defineId } from '../src/index.ts'

const UserId = defineId('user')
const UUID = UserId.toUuid(UserId.example)
const page = readFileSync(new URL('docs/guide/loose.md', REPOSITORY), 'utf8')
const rows = [...page.matchAll(/^\| `(".+")` +\| (.+?) +\|/gm)].map(
  ([, text, result]) => [
    JSON.parse(text as string) as string,
    result as string,
  ],
)

test.each(rows)('the page is right about %j: %s', (text, result) => {
  const { data, error } = parseLoose(UserId, text)
  expect(
    data ? (data === UserId.example ? 'the id' : data) : `\`${error?.code}\``,
  ).toBe(result)
})

test.each([
  ...[undefined, null, 1, {}, '', ' ', 'user', 'x'.repeat(1e6)],
  // `parseLoose` must not correct the prefix to `user`: a UUID without letters
  // is the same in upper case, so the string is a valid id of a type `USER`.
  'USER-00000000-0000-0000-0000-000000000000',
  ...['USER ', 'USER-', 'Team ', 'team-'].map((start) => start + UUID),
  ...[`TEAM ${UUID.toUpperCase()}`, 'team_01j0b3v1mmeedtx9cpdgkfhbch'],
])('%j is not an id', (value) => {
  expect(parseLoose(UserId, value).success).toBe(false)
})

test.each([
  [' USER_01JOB3VIMMEEDTX9CPDGKFHBCH', 'user_01j0b3v1mmeedtx9cpdgkfhbch'],
  ['USER%5f01J0B3V1MMEEDTX9CPDGKFHBCH', 'user_01j0b3v1mmeedtx9cpdgkfhbch'],
  [
    'orderLine 01jOb3v1mmeedtx9cpdgkfhbch',
    'orderLine_01j0b3v1mmeedtx9cpdgkfhbch',
  ],
  ['0190163d-8694-739b-aea5-966c26f8ad91', undefined],
  ['01J0B3V1MMEEDTX9CPDGKFHBCH', undefined],
  ['0190163d8694739baea5966c26f8ad91', undefined],
])('correctId corrects %j without a type', (text, corrected) => {
  expect(correctId(text)).toBe(corrected)
})

test('corrects the longest prefix with percent-encoded separators and 100 spaces, and nothing longer', () => {
  const LongId = defineId<string>('a'.repeat(63))
  const text = LongId.example.replaceAll('-', '%2D')
  expect(parseLoose(LongId, ' '.repeat(100) + text).data).toBe(LongId.example)
  expect(parseLoose(LongId, ' '.repeat(101) + text).success).toBe(false)
})

test('a prefix with upper case letters is found in upper case', () => {
  const LineId = defineId('orderLine')
  expect(
    parseLoose(LineId, LineId.toShort(LineId.example).toUpperCase()).data,
  ).toBe(LineId.example)
})

const typingErrors: ((text: string) => string)[] = [
  (text) => text.replace(/(?<=[-_].*)1/g, 'l'),
  (text) => text.replace(/(?<=[-_].*)0/g, 'o'),
  (text) => text.replace(/[-_]/, ''),
  (text) =>
    text.replace(
      /[-_]/g,
      (separator) => `%${separator.charCodeAt(0).toString(16)}`,
    ),
  (text) => text.replace(/-/g, '\u2013'),
  (text) => text.toUpperCase(),
  (text) => `\u00a0${text}\n`,
]
const prefixes = fc.stringMatching(/^[a-f0-9]{1,8}$/)
const typed = fc.record({
  prefix: prefixes,
  bytes: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  short: fc.boolean(),
  applied: fc.subarray(typingErrors),
})

test('returns the id however it was typed, and for no other type', () => {
  fc.assert(
    fc.property(typed, prefixes, ({ prefix, bytes, short, applied }, other) => {
      const Id = defineId<string>(prefix)
      const id = Id.fromBytes(bytes)
      const text = applied.reduce(
        (text, change) => change(text),
        short ? Id.toShort(id) : (id as string),
      )
      const isUpperCaseId =
        text !== text.toLowerCase() &&
        defineId<string>(prefix.toUpperCase()).isEitherForm(text)
      expect(parseLoose(Id, text).data).toBe(isUpperCaseId ? undefined : id)
      const digits = short
        ? text.trim().slice(0, -25)
        : text.trim().slice(0, -35)
      for (const another of [
        other,
        `${prefix}0`,
        prefix.slice(0, -1) || 'z',
        digits.replace(/\W|_/g, '') || 'z',
      ])
        if (another.toLowerCase() !== prefix)
          expect(
            parseLoose(defineId<string>(another.slice(0, 63)), text).success,
          ).toBe(false)
    }),
    { numRuns: 2000 },
  )
})

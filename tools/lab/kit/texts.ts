import fc, { type Arbitrary } from 'fast-check'
import { codePoint } from 'testkit/arbitraries.ts'

/** A marker in hostile strings, which no error response and no log line may contain. */
export const MARKER = 'Zq9Echo'

const SQL = [
  "'; DROP TABLE users; --",
  "' OR '1'='1",
  '" OR ""="',
  "\\'; SELECT pg_sleep(10); --",
  '%',
  '_%_',
  '\\%',
  '$1',
  '?',
  ':name',
  '$$x$$',
  "E'\\\\x00'",
  '`',
  '/*',
  "') ON CONFLICT DO NOTHING; --",
]

const UNUSUAL = [
  '',
  ' ',
  '\t\r\n\v\f\u0085\u2028\u2029',
  '\ufeff',
  '\ufffe\uffff',
  '\u{10ffff}\u{1f4a9}\u{20000}\u{e0001}\u{100000}',
  '\u202e\u200b\u200d\u00ad',
  'e\u0301 \u00e9 \u212b \u1e9e \ufb01',
  '\u0000',
  'x\u0000x',
  '\ud800',
  '\udc00\ud800',
  '<script>alert(1)</script>',
  '{{7*7}} $(reboot) %s %n %x',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'true',
  '-1',
]

/** Strings that have broken services: SQL, every plane of Unicode, characters that cannot be stored, long ones. */
export const hostileText: Arbitrary<string> = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...SQL, ...UNUSUAL),
      fc.string({ unit: codePoint, maxLength: 120 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc
        .tuple(fc.string({ unit: codePoint, minLength: 1, maxLength: 1 }), fc.integer({ min: 1, max: 300 }))
        .map(([character, times]) => character.repeat(times)),
      fc.constantFrom(10_000, 300_000).map((length) => 'x'.repeat(length)),
    ),
    fc.constantFrom('', MARKER),
  )
  .map(([text, marker]) => text + marker)

/** Replaces, removes or inserts characters at up to four positions of a string. */
export function mutate(text: Arbitrary<string>, characters: Arbitrary<string>): Arbitrary<string> {
  const change = fc.tuple(fc.double({ min: 0, max: 0.999_999, noNaN: true }), fc.nat(4), characters)
  return fc.tuple(text, fc.array(change, { minLength: 1, maxLength: 4 })).map(([text, changes]) =>
    changes.reduce((current, [position, removed, inserted]) => {
      const at = Math.floor(position * (current.length + 1))
      return current.slice(0, at) + inserted + current.slice(at + removed)
    }, text),
  )
}

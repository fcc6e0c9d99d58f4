import fc, { type Arbitrary } from 'fast-check'
import { ECHO } from './attempts/attempt.ts'

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

const ODD = [
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

/** Texts that have broken services: SQL, every plane of Unicode, what cannot be stored, what is too long. */
export const hostileText: Arbitrary<string> = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...SQL, ...ODD),
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc
        .tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.integer({ min: 1, max: 300 }))
        .map(([character, times]) => character.repeat(times)),
      fc.constantFrom(10_000, 300_000).map((length) => 'x'.repeat(length)),
    ),
    fc.constantFrom('', ECHO),
  )
  .map(([text, mark]) => text + mark)

/** A text with a few of its characters replaced, removed, doubled or added to. */
export function mutated(text: Arbitrary<string>, characters: Arbitrary<string>): Arbitrary<string> {
  const change = fc.tuple(fc.double({ min: 0, max: 0.999_999, noNaN: true }), fc.nat(4), characters)
  return fc.tuple(text, fc.array(change, { minLength: 1, maxLength: 4 })).map(([whole, changes]) =>
    changes.reduce((now, [where, cut, insert]) => {
      const at = Math.floor(where * (now.length + 1))
      return now.slice(0, at) + insert + now.slice(at + cut)
    }, whole),
  )
}

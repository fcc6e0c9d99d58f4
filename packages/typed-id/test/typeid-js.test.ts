import fc from 'fast-check'
import * as original from 'typeid-js'
import { describe, expect, test } from 'vitest'
import {
  fromString,
  fromUUID,
  fromUUIDBytes,
  getSuffix,
  getType,
  parseTypeId,
  TypeID,
  toUUID,
  toUUIDBytes,
  typeid,
  typeidUnboxed,
} from '../src/typeid.ts'
import { codeOf } from './code-of.ts'
import vectors from './vectors/typeid.json' with { type: 'json' }

/*
 * The claims of typeid-js's own tests, for the functions of the same names. `class` and `functions` are its two
 * interfaces. Where typeid-js compares the text of an error, the code is compared.
 */

const SUFFIX = '00041061050r3gg28a1c60t3gf'
const BYTES = Uint8Array.from({ length: 16 }, (_, i) => i)
const UUID = '01889c89-df6b-7f1c-a388-91396ec314bc'
const UUID_SUFFIX = '01h2e8kqvbfwea724h75qc655w'

/** Valid vectors that typeid-js has instead of those of the specification that it rejects. */
const OWN_VALID = [
  ['', '0000000000e008000000000001', '00000000-0000-7000-8000-000000000001'],
  ['', '0000000000e00900000000000a', '00000000-0000-7000-9000-00000000000a'],
  ['', '0000000000e00a00000000000g', '00000000-0000-7000-a000-000000000010'],
  ['', '0000000000e00b000000000010', '00000000-0000-7000-b000-000000000020'],
  ['prefix', 'prefix_0123456789abcbefghjkmnpqrs', '0110c853-1d09-52d8-b73e-1194e95b5f19'],
] as const
const valid = [
  ...vectors.valid.map(({ prefix, typeid, uuid }) => [prefix, typeid, uuid] as const),
  ...OWN_VALID,
]

describe('class', () => {
  test('typeid joins a prefix and a suffix', () => {
    const id = typeid('test', SUFFIX)
    expect(id).toBeInstanceOf(TypeID)
    expect([id.getType(), id.getSuffix()]).toEqual(['test', SUFFIX])
  })

  test('typeid generates a missing suffix', () => {
    const id = typeid('test')
    expect(id).toBeInstanceOf(TypeID)
    expect(id.getType()).toBe('test')
    expect(id.getSuffix()).toHaveLength(26)
    expect(new TypeID('test').getSuffix()).toHaveLength(26)
  })

  test.each(['TEST', '  '])('typeid rejects the prefix %j', (prefix) => {
    expect(codeOf(() => typeid(prefix, SUFFIX))).toBe('invalid_prefix')
  })

  test('typeid rejects a suffix of another length', () => {
    expect(codeOf(() => typeid('test', 'abc'))).toBe('malformed_short')
  })

  test('asType returns the TypeID of the given prefix', () => {
    const id = typeid('prefix')
    expect(id.asType('prefix')).toBe(id)
  })

  test('asType rejects another prefix', () => {
    expect(codeOf(() => typeid('foo').asType('bar'))).toBe('wrong_type')
  })

  test.each([
    ['test', `test_${SUFFIX}`],
    ['', SUFFIX],
  ])('toString with the prefix %j', (prefix, text) => {
    expect(typeid(prefix, SUFFIX).toString()).toBe(text)
    expect(`${typeid(prefix, SUFFIX)}`).toBe(text)
  })

  test.each(['', 'prefix'])('fromString with the prefix %j', (prefix) => {
    const id = TypeID.fromString(prefix === '' ? SUFFIX : `prefix_${SUFFIX}`)
    expect([id.getType(), id.getSuffix()]).toEqual([prefix, SUFFIX])
  })

  test('fromString rejects a text with another end', () => {
    expect(codeOf(() => TypeID.fromString('invalid_string_with_underscore0000000000000000'))).toBe(
      'malformed_short',
    )
  })

  test.each(['', 'prefix'])('fromUUIDBytes with the prefix %j', (prefix) => {
    const id = TypeID.fromUUIDBytes(prefix, BYTES)
    expect([id.getType(), id.getSuffix()]).toEqual([prefix, SUFFIX])
    expect(id.toUUIDBytes()).toEqual(BYTES)
  })

  test.each(['', 'prefix'])('fromUUID with the prefix %j', (prefix) => {
    const id = TypeID.fromUUID(prefix, UUID)
    expect([id.getType(), id.getSuffix()]).toEqual([prefix, UUID_SUFFIX])
  })

  test.each(['', 'test'])('1000 new ids with the prefix %j survive toString and fromString', (prefix) => {
    for (let i = 0; i < 1000; i++) {
      const id = typeid(prefix)
      expect(TypeID.fromString(id.toString())).toEqual(id)
    }
    expect(typeid().getType()).toBe('')
    expect(typeid(prefix)).not.toEqual(typeid(prefix))
  })

  test.each(valid)('reads the valid vector: %j, %s', (prefix, text, uuid) => {
    const id = TypeID.fromString(text)
    expect([id.getType(), id.toString(), id.toUUID()]).toEqual([prefix, text, uuid])
  })

  test.each(valid)('writes the valid vector: %j, %s', (prefix, text, uuid) => {
    const id = TypeID.fromUUID(prefix, uuid)
    expect([id.getType(), id.toString(), id.toUUID()]).toEqual([prefix, text, uuid])
  })

  test.each(vectors.invalid)('rejects the invalid vector: $why', ({ typeid: text }) => {
    expect(codeOf(() => TypeID.fromString(text))).toBe('malformed_short')
  })
})

describe('functions', () => {
  test('typeidUnboxed joins a prefix and a suffix', () => {
    const id = typeidUnboxed('test', SUFFIX)
    expect(id).toBe(`test_${SUFFIX}`)
    expect(parseTypeId(id)).toEqual({ prefix: 'test', suffix: SUFFIX })
  })

  test('typeidUnboxed generates a missing suffix', () => {
    expect(parseTypeId(typeidUnboxed('test')).suffix).toHaveLength(26)
    expect(typeidUnboxed()).toHaveLength(26)
  })

  test.each(['TEST', '  '])('typeidUnboxed rejects the prefix %j', (prefix) => {
    expect(codeOf(() => typeidUnboxed(prefix, SUFFIX))).toBe('invalid_prefix')
  })

  test('typeidUnboxed rejects a suffix of another length', () => {
    expect(codeOf(() => typeidUnboxed('test', 'abc'))).toBe('malformed_short')
  })

  test.each(['', 'prefix'])('parseTypeId with the prefix %j', (prefix) => {
    const id = fromString(prefix === '' ? SUFFIX : `prefix_${SUFFIX}`)
    expect(parseTypeId(id)).toEqual({ prefix, suffix: SUFFIX })
  })

  test('fromString rejects a text with another end', () => {
    expect(codeOf(() => fromString('invalid_string_with_underscore0000000000000000'))).toBe('malformed_short')
  })

  test.each(['', 'prefix'])('fromUUIDBytes with the prefix %j', (prefix) => {
    const id = fromUUIDBytes(prefix, BYTES)
    expect([getType(id), getSuffix(id)]).toEqual([prefix, SUFFIX])
    expect(toUUIDBytes(id)).toEqual(BYTES)
  })

  test.each([undefined, 'prefix'])('fromUUID with the prefix %j', (prefix) => {
    const id = fromUUID(UUID, prefix)
    expect(typeof id).toBe('string')
    expect([getType(id), toUUID(id)]).toEqual([prefix ?? '', UUID])
  })

  test.each(valid)('reads the valid vector: %j, %s', (prefix, text, uuid) => {
    const id = fromString(text, prefix)
    expect([getType(id), String(id), toUUID(id)]).toEqual([prefix, text, uuid])
  })

  test.each(valid)('writes the valid vector: %j, %s', (prefix, text, uuid) => {
    const id = fromUUID(uuid, prefix)
    expect([getType(id), String(id), toUUID(id)]).toEqual([prefix, text, uuid])
  })

  test.each(vectors.invalid)('rejects the invalid vector: $why', ({ typeid: text }) => {
    expect(codeOf(() => fromString(text))).toBe('malformed_short')
  })
})

describe('where it differs from typeid-js on purpose', () => {
  test('invalid values are rejected', () => {
    expect(codeOf(() => fromUUID('no uuid', 'test'))).toBe('invalid_uuid')
    expect(codeOf(() => fromUUID(UUID, 'TEST'))).toBe('invalid_prefix')
    expect(codeOf(() => fromUUIDBytes('TEST', BYTES))).toBe('invalid_prefix')
    expect(codeOf(() => getType('nope' as never))).toBe('malformed_short')
    expect(codeOf(() => getSuffix('nope' as never))).toBe('malformed_short')
    expect(codeOf(() => toUUID(5 as never))).toBe('not_a_string')
    expect(codeOf(() => typeidUnboxed('test', 5 as never))).toBe('not_a_string')
    expect(codeOf(() => fromUUID(5 as never))).toBe('not_a_string')
    expect(codeOf(() => typeidUnboxed('test', [SUFFIX] as never))).toBe('not_a_string')
    expect(codeOf(() => typeidUnboxed(['test'] as never, SUFFIX))).toBe('invalid_prefix')
  })

  test('messages name the expected text', () => {
    expect(() => fromString('nope')).toThrow(
      'malformed short: expected <prefix>_<26 base32 digits>, received "nope"',
    )
    expect(() => typeid('TEST')).toThrow(
      'invalid prefix: expected 0 to 63 letters a-z and underscores, the first and the last a letter, received "TEST"',
    )
    expect(() => typeid('test', 'abc')).toThrow(
      'malformed short: expected <26 base32 digits>, received "abc"',
    )
  })

  test('a given prefix is compared, also if it is empty', () => {
    expect(codeOf(() => fromString(`test_${SUFFIX}`, ''))).toBe('wrong_type')
    expect(codeOf(() => fromString(`test_${SUFFIX}`, 'other'))).toBe('wrong_type')
    expect(codeOf(() => TypeID.fromString(`test_${SUFFIX}`, 'other'))).toBe('wrong_type')
  })

  test('an uppercase UUID is accepted, as in typeid-js', () => {
    expect(fromUUID(UUID.toUpperCase(), 'test')).toBe(`test_${UUID_SUFFIX}`)
  })
})

describe('beside typeid-js itself', () => {
  const near = fc.stringMatching(/^_?[a-z_A0é]{0,4}_?[0-9a-zA8]{25,27}$/)
  const valid = fc.stringMatching(/^(?:[a-z](?:[a-z_]{0,61}[a-z])?_)?[0-7][0-9a-hjkmnp-tv-z]{25}$/)

  test('both accept the same texts', () => {
    const accepts = (read: () => unknown) => codeOf(read) === 'no error'
    let accepted = 0
    fc.assert(
      fc.property(fc.oneof(near, valid, fc.string()), (text) => {
        const found = accepts(() => fromString(text))
        if (found) accepted++
        expect(found).toBe(accepts(() => original.fromString(text)))
        expect(accepts(() => TypeID.fromString(text))).toBe(found)
      }),
      { numRuns: 2000 },
    )
    expect(accepted).toBeGreaterThan(100)
  })

  test('both write the same text, and return the same parts', () => {
    fc.assert(
      fc.property(valid, fc.uuid({ version: 7 }), (text, uuid) => {
        const { prefix, suffix } = original.parseTypeId(original.fromString(text))
        expect(parseTypeId(fromString(text))).toEqual({ prefix, suffix })
        expect(fromUUID(uuid, prefix)).toBe(original.fromUUID(uuid, prefix))
        const boxed = original.TypeID.fromUUID(prefix, uuid)
        expect(JSON.stringify(TypeID.fromUUID(prefix, uuid))).toBe(JSON.stringify(boxed))
        expect(TypeID.fromString(boxed.toString()).toUUID()).toBe(uuid)
        expect(toUUIDBytes(fromString(text))).toEqual(original.toUUIDBytes(original.fromString(text)))
      }),
    )
  })
})

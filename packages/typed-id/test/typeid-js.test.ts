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

/** The two interfaces, by what they do. An id of `functions` is a string. */
const INTERFACES = [
  {
    name: 'class',
    join: (prefix: string, suffix?: string): unknown => typeid(prefix, suffix),
    fromString: (text: string, _?: string): unknown => TypeID.fromString(text),
    fromUuid: (prefix: string, uuid: string): unknown => TypeID.fromUUID(prefix, uuid),
    fromBytes: (prefix: string, bytes: Uint8Array): unknown => TypeID.fromUUIDBytes(prefix, bytes),
    /** Prefix, suffix, text and UUID of an id. */
    partsOf: (id: never) => {
      const typeId = id as TypeID<string>
      return [typeId.getType(), typeId.getSuffix(), typeId.toString(), typeId.toUUID()]
    },
    bytesOf: (id: never) => (id as TypeID<string>).toUUIDBytes(),
  },
  {
    name: 'functions',
    join: (prefix: string, suffix?: string): unknown => typeidUnboxed(prefix, suffix),
    fromString: (text: string, prefix?: string): unknown => fromString(text, prefix),
    fromUuid: (prefix: string, uuid: string): unknown => fromUUID(uuid, prefix),
    fromBytes: (prefix: string, bytes: Uint8Array): unknown => fromUUIDBytes(prefix, bytes),
    partsOf: (id: never) => [getType(id), getSuffix(id), String(id), toUUID(id)],
    bytesOf: (id: never) => toUUIDBytes(id),
  },
]

describe.each(INTERFACES)('$name', ({ join, fromString, fromUuid, fromBytes, partsOf, bytesOf }) => {
  test.each([
    ['test', `test_${SUFFIX}`],
    ['', SUFFIX],
  ])('joins the prefix %j and a suffix, and reads both', (prefix, text) => {
    const parts = [prefix, SUFFIX, text]
    expect(partsOf(join(prefix, SUFFIX) as never).slice(0, 3)).toEqual(parts)
    expect(partsOf(fromString(text) as never).slice(0, 3)).toEqual(parts)
    expect(partsOf(fromBytes(prefix, BYTES) as never).slice(0, 3)).toEqual(parts)
    expect(bytesOf(fromBytes(prefix, BYTES) as never)).toEqual(BYTES)
    expect(partsOf(fromUuid(prefix, UUID) as never).slice(0, 2)).toEqual([prefix, UUID_SUFFIX])
  })

  test('generates a missing suffix', () => {
    expect(partsOf(join('test') as never).slice(0, 2)).toEqual(['test', expect.stringMatching(/^.{26}$/)])
  })

  test.each(['TEST', '  '])('rejects the prefix %j', (prefix) => {
    expect(codeOf(() => join(prefix, SUFFIX))).toBe('invalid_prefix')
  })

  test('rejects a suffix of another length, and a text with another end', () => {
    expect(codeOf(() => join('test', 'abc'))).toBe('malformed_short')
    expect(codeOf(() => fromString('invalid_string_with_underscore0000000000000000'))).toBe('malformed_short')
  })

  test.each(valid)('reads and writes the valid vector: %j, %s', (prefix, text, uuid) => {
    for (const id of [fromString(text, prefix), fromUuid(prefix, uuid)])
      expect(partsOf(id as never)).toEqual([prefix, text.slice(-26), text, uuid])
  })

  test.each(vectors.invalid)('rejects the invalid vector: $why', ({ typeid: text }) => {
    expect(codeOf(() => fromString(text))).toBe('malformed_short')
  })
})

describe('class', () => {
  test('typeid and the constructor return TypeIDs, with an empty prefix by default', () => {
    expect(typeid('test', SUFFIX)).toBeInstanceOf(TypeID)
    expect(new TypeID('test').getSuffix()).toHaveLength(26)
    expect(typeid().getType()).toBe('')
  })

  test('asType returns the TypeID of the given prefix, and rejects another', () => {
    const id = typeid('prefix')
    expect(id.asType('prefix')).toBe(id)
    expect(codeOf(() => typeid('foo').asType('bar'))).toBe('wrong_type')
  })

  test.each(['', 'test'])('1000 new ids with the prefix %j survive toString and fromString', (prefix) => {
    for (let i = 0; i < 1000; i++) {
      const id = typeid(prefix)
      expect(TypeID.fromString(id.toString())).toEqual(id)
    }
    expect(typeid(prefix)).not.toEqual(typeid(prefix))
  })
})

describe('functions', () => {
  test('an id is a string, which parseTypeId divides', () => {
    expect(typeidUnboxed('test', SUFFIX)).toBe(`test_${SUFFIX}`)
    expect(parseTypeId(typeidUnboxed('test', SUFFIX))).toEqual({ prefix: 'test', suffix: SUFFIX })
    expect(typeidUnboxed()).toHaveLength(26)
    expect(fromUUID(UUID)).toBe(UUID_SUFFIX)
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

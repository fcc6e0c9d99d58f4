import fc from 'fast-check'
import * as original from 'typeid-js'
import { describe, expect, test } from 'vitest'
import * as library from '../src/typeid.ts'
import { codeOf } from './reference.ts'

const {
  fromString,
  fromUUID,
  fromUUIDBytes,
  getType,
  TypeID,
  toUUID,
  typeid,
  typeidUnboxed,
} = library
const SUFFIX = '00041061050r3gg28a1c60t3gf'
const BYTES = Uint8Array.from({ length: 16 }, (_, i) => i)
const UUID = '01889c89-df6b-7f1c-a388-91396ec314bc'

const prefixes = fc.stringMatching(/^(?:[a-z](?:[a-z_]{0,61}[a-z])?)?$/)

type Library = typeof original

const byMethods = (id: original.TypeID<string>) => [
  id.getType(),
  id.getSuffix(),
  id.toString(),
  id.toUUID(),
  id.toUUIDBytes(),
  JSON.stringify(id),
]
const byFunctions = (
  { getType, getSuffix, parseTypeId, toUUID, toUUIDBytes }: Library,
  id: string,
) => {
  const typeId = id as original.TypeId<string>
  return [
    getType(typeId),
    getSuffix(typeId),
    id,
    toUUID(typeId),
    toUUIDBytes(typeId),
    parseTypeId(typeId),
  ]
}

describe('beside typeid-js itself, for any prefix and any UUID', () => {
  type Call = (library: Library, prefix: string, uuid: string) => unknown
  const textOf = (prefix: string, uuid: string) =>
    original.fromUUID(uuid, prefix)
  const split = (prefix: string, uuid: string) =>
    [prefix, original.fromUUID(uuid)] as const
  const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex')

  const CALLS: Record<string, Call> = {
    typeid: ({ typeid }, ...id) => byMethods(typeid(...split(...id))),
    'TypeID.fromString': ({ TypeID }, ...id) =>
      byMethods(TypeID.fromString(textOf(...id))),
    'TypeID.fromUUID': ({ TypeID }, ...id) => byMethods(TypeID.fromUUID(...id)),
    'TypeID.fromUUIDBytes': ({ TypeID }, prefix, uuid) =>
      byMethods(TypeID.fromUUIDBytes(prefix, bytesOf(uuid))),
    asType: ({ TypeID }, prefix, uuid) =>
      byMethods(TypeID.fromUUID(prefix, uuid).asType(prefix)),
    typeidUnboxed: (library, ...id) =>
      byFunctions(library, library.typeidUnboxed(...split(...id))),
    fromString: (library, ...id) =>
      byFunctions(library, library.fromString(textOf(...id), id[0])),
    fromUUID: (library, prefix, uuid) =>
      byFunctions(library, library.fromUUID(uuid.toUpperCase(), prefix)),
    fromUUIDBytes: (library, prefix, uuid) =>
      byFunctions(library, library.fromUUIDBytes(prefix, bytesOf(uuid))),
  }

  test.each(Object.entries(CALLS))('%s returns the same TypeID', (_, call) => {
    fc.assert(
      fc.property(
        prefixes,
        fc.uuid({ version: [1, 4, 5, 6, 7] }),
        (prefix, uuid) => {
          expect(call(library as unknown as Library, prefix, uuid)).toEqual(
            call(original, prefix, uuid),
          )
        },
      ),
    )
  })
})

test('generates a missing suffix, and the prefix is empty by default', () => {
  const ids = ['', 'test'].flatMap((prefix) => [
    typeid(prefix).toString(),
    new TypeID(prefix).toString(),
    typeidUnboxed(prefix),
  ])
  expect(new Set(ids).size).toBe(6)
  expect([...ids, typeid().toString(), typeidUnboxed()].map(getType)).toEqual([
    ...['', '', '', 'test', 'test', 'test', '', ''],
  ])
  expect(getType(fromUUID(UUID))).toBe('')
})

// biome-ignore format: one call a line
test.each<[string, () => unknown, string]>([
  ['a prefix of typeid', () => typeid('TEST', SUFFIX), 'invalid_prefix'],
  ['a prefix of typeidUnboxed', () => typeidUnboxed('  ', SUFFIX), 'invalid_prefix'],
  ['a prefix that is not a string', () => typeidUnboxed(['test'] as never, SUFFIX), 'invalid_prefix'],
  ['a suffix that is a number', () => typeidUnboxed('test', 5 as never), 'not_a_string'],
  ['another prefix of asType', () => typeid('foo').asType('fo'), 'wrong_type'],
  ['a UUID', () => fromUUID('no uuid', 'test'), 'invalid_uuid'],
  ['a prefix of fromUUID', () => fromUUID(UUID, 'TEST'), 'invalid_prefix'],
  ['a prefix of fromUUIDBytes', () => fromUUIDBytes('TEST', BYTES), 'invalid_prefix'],
  ['a TypeID of getType', () => getType('nope' as never), 'malformed_short'],
  ['a TypeID that is a number', () => toUUID(5 as never), 'not_a_string'],
  ['a UUID that is a number', () => fromUUID(5 as never), 'not_a_string'],
])('%s is rejected', (_, call, code) => {
  expect(codeOf(call)).toBe(code)
})

describe('where it differs from typeid-js on purpose', () => {
  test('messages describe the expected TypeID', () => {
    expect(() => typeidUnboxed('test', 'abc')).toThrow(
      'malformed short: expected 26 lowercase characters, received "abc"',
    )
    expect(() => fromString('nope')).toThrow('expected a prefix, "_" and 26')
  })

  test('a given prefix is compared, also if it is empty', () => {
    for (const read of [fromString, TypeID.fromString])
      for (const prefix of ['', 'other'])
        expect(codeOf(() => read(`test_${SUFFIX}`, prefix))).toBe('wrong_type')
  })
})

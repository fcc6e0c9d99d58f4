import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defineId, type TypedId, uuidv7At } from '../src/index.ts'
import * as reference from './reference.ts'

const UserId = defineId('user')
const RUNS = { numRuns: 20_000, seed: 7 }

/** 128 bits: random ones, edge cases, and every version of RFC 9562. */
const anyNumber = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
  fc.constantFrom(0n, 1n, 2n ** 64n, 2n ** 127n, 2n ** 128n - 1n),
  fc.uuid().map(reference.numberOfUuid),
  fc.integer({ min: 0, max: 127 }).map((bit) => 1n << BigInt(bit)),
)
const anyId = anyNumber.map((number) => `user-${reference.uuidOfNumber(number)}` as TypedId<'user'>)

/** Texts similar to an id: a valid one with one place replaced, removed or inserted. */
const nearId = fc
  .tuple(
    fc.oneof(anyId, anyId.map(UserId.toShort)),
    fc.nat(45),
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2 }),
      fc.constantFrom('g', 'A', '-', '_', '\n', 'i', 'ı', '０'),
    ),
    fc.nat(2),
  )
  .map(([text, at, insert, cut]) => text.slice(0, at) + insert + text.slice(at + cut))

function check<T>(arbitrary: fc.Arbitrary<T>, predicate: (value: T) => unknown): void {
  const property = fc.property(arbitrary, (value) => {
    predicate(value)
  })
  fc.assert(property, RUNS)
}

test('standard to short and back is the identity', () => {
  check(anyId, (id) => expect(UserId.fromShort(UserId.toShort(id))).toBe(id))
})

test('standard to bytes and back is the identity', () => {
  check(anyId, (id) => expect(UserId.fromBytes(UserId.toBytes(id))).toBe(id))
})

test('standard to uuid and back is the identity', () => {
  check(anyId, (id) => expect(UserId.fromUuid(UserId.toUuid(id))).toBe(id))
})

test('short to standard and back is the identity', () => {
  check(anyNumber, (number) => {
    const short = `user_${reference.suffixOfNumber(number)}`
    expect(UserId.toShort(UserId.fromShort(short))).toBe(short)
  })
})

test('bytes to standard and back is the identity', () => {
  check(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
    expect(UserId.toBytes(UserId.fromBytes(bytes))).toEqual(bytes)
  })
})

test('no two texts parse to one id', () => {
  check(fc.oneof(nearId, fc.string({ unit: 'binary', maxLength: 60 })), (text) => {
    const { data } = UserId.safeParseAny(text)
    if (data !== undefined) expect([data, UserId.toShort(data)]).toContain(text)
  })
})

test('the functions accept exactly the texts that the patterns match', () => {
  const pattern = new RegExp(UserId.pattern)
  const anyPattern = new RegExp(`${UserId.pattern}|${UserId.shortPattern}`)
  check(fc.oneof(nearId, anyId, anyId.map(UserId.toShort)), (text) => {
    expect(UserId.is(text)).toBe(pattern.test(text))
    expect(UserId.safeParseAny(text).success).toBe(anyPattern.test(text))
  })
})

test('both forms sort in the order of their numbers', () => {
  check(fc.tuple(anyNumber, anyNumber), ([a, b]) => {
    const [idA, idB] = [a, b].map((number) => UserId.fromBytes(reference.bytesOfNumber(number))) as [
      TypedId<'user'>,
      TypedId<'user'>,
    ]
    expect(idA < idB).toBe(a < b)
    expect(UserId.toShort(idA) < UserId.toShort(idB)).toBe(a < b)
  })
})

test('every prefix of 1 to 63 letters and digits is accepted, and no other', () => {
  check(fc.string({ unit: 'binary-ascii', minLength: 0, maxLength: 70 }), (prefix) => {
    const accepted = /^[a-zA-Z0-9]{1,63}$/.test(prefix)
    if (!accepted) return expect(() => defineId(prefix)).toThrow('invalid prefix')
    const Id = defineId(prefix)
    const id = Id.generate()
    expect(Id.parseAny(Id.toShort(id))).toBe(id)
  })
})

test('timestamp returns every time of 48 bits', () => {
  check(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (ms) => {
    expect(UserId.timestamp(UserId.fromUuid(uuidv7At(ms)))?.getTime()).toBe(ms)
  })
})

test('timestamp returns undefined for every uuid that is not of version 7', () => {
  check(anyNumber, (number) => {
    const id = UserId.fromBytes(reference.bytesOfNumber(number))
    expect(UserId.timestamp(id)?.getTime()).toBe(reference.timeOfNumber(number))
  })
})

import fc from 'fast-check'
import { codePoint } from 'testkit/arbitraries.ts'
import { expect, test } from 'vitest'
import { defineId, type TypedId } from '../src/index.ts'
import * as reference from './reference.ts'

const UserId = defineId('user')
const RUNS = { numRuns: process.env.QUICK ? 2000 : 20_000, seed: 7 }

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
      fc.string({ unit: codePoint, maxLength: 2 }),
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

test('no two texts parse to one id', () => {
  check(fc.oneof(nearId, fc.string({ unit: codePoint, maxLength: 60 })), (text) => {
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

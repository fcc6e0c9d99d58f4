import { runInNewContext } from 'node:vm'
import fc, { type Arbitrary } from 'fast-check'
import { codePoint } from 'testkit/arbitraries.ts'
import { VECTORS } from '../../build-vectors.ts'
import * as reference from '../reference.ts'

export const PREFIXES = ['user', 'team', 'A1', 'x'.repeat(63)] as const

const prefix = fc.oneof(
  { weight: 5, arbitrary: fc.constant('user') },
  { weight: 2, arbitrary: fc.constantFrom(...PREFIXES) },
  { weight: 1, arbitrary: fc.stringMatching(/^[a-zA-Z0-9]{1,8}$/) },
)
const anyNumber = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
  fc.constantFrom(0n, 1n, 2n ** 64n, 2n ** 127n, 2n ** 128n - 1n),
  fc.integer({ min: 0, max: 127 }).map((bit) => 1n << BigInt(bit)),
  fc.uuid().map(reference.numberOfUuid),
  fc.uuid({ version: 7 }).map(reference.numberOfUuid),
)
const number = fc.oneof(
  { weight: 9, arbitrary: anyNumber },
  { weight: 1, arbitrary: fc.constant(2n ** 128n) },
)

const encoded: Arbitrary<string> = fc
  .tuple(prefix, number, fc.nat(4))
  .map(([prefix, number, form]) => {
    if (form === 0) return `${prefix}-${reference.uuidOfNumber(number)}`
    if (form === 1) return `${prefix}_${reference.suffixOfNumber(number)}`
    if (form === 2) return `${prefix}_${reference.base62OfNumber(number)}`
    return form === 3 ? reference.uuidOfNumber(number) : prefix
  })

const LOOK_ALIKES: Record<string, string> = {
  a: 'а',
  e: 'е',
  c: 'с',
  o: 'о',
  0: '０',
  1: 'l',
  i: 'ı',
  k: 'K',
  s: 'ſ',
  '-': '‐',
  _: '＿',
  f: 'ｆ',
}

const change = fc.oneof(
  fc
    .string({ unit: codePoint, minLength: 1, maxLength: 2 })
    .map((text) => () => text),
  fc
    .constantFrom('', ...'-_\n\0 \ufeff\u200bgilou8\ud800İ')
    .map((text) => () => text),
  fc.constant((character: string) => character.toUpperCase()),
  fc.constant((character: string) => character + character),
  fc.constant(
    (character: string) => LOOK_ALIKES[character] ?? `${character}\u0301`,
  ),
  // Adds a multiple of 128 to a character's code. A decoder with a lookup table
  // of 128 or 256 entries could confuse the result with the original character.
  fc
    .integer({ min: 1, max: 511 })
    .map(
      (times) => (character: string) =>
        String.fromCharCode(character.charCodeAt(0) + 128 * times),
    ),
)

export const near: Arbitrary<string> = fc
  .tuple(
    encoded,
    fc.array(fc.tuple(fc.nat(140), change), { minLength: 1, maxLength: 2 }),
  )
  .map(([text, changes]) =>
    changes.reduce((now, [where, by]) => {
      const at = where % (now.length + 1)
      return now.slice(0, at) + by(now.charAt(at)) + now.slice(at + 1)
    }, text),
  )

function trap(): never {
  throw new Error('a trap was called')
}

const TRAPS = {
  get: trap,
  set: trap,
  has: trap,
  ownKeys: trap,
  getPrototypeOf: trap,
  getOwnPropertyDescriptor: trap,
  apply: trap,
  construct: trap,
}

const { proxy: revoked, revoke } = Proxy.revocable({}, {})
revoke()

const detached = new Uint8Array(16)
structuredClone(detached, { transfer: [detached.buffer] })

const TRAPPED = [
  new Proxy({}, TRAPS),
  new Proxy(trap, TRAPS),
  new Proxy(new Uint8Array(16), TRAPS),
  revoked,
]

const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'
const ID = `user-${UUID}`

const ODD = [
  undefined,
  null,
  Number.NaN,
  -0,
  2 ** 48,
  2 ** 32,
  2n ** 100_000n,
  Symbol(ID),
  new String(ID),
  [ID],
  () => ID,
  { toString: () => ID },
  { toString: trap, valueOf: trap, [Symbol.toPrimitive]: trap },
  Object.defineProperty({}, 'length', { get: trap }),
  { length: 41, startsWith: () => true, charCodeAt: () => 48 },
  Object.create(null),
  Object.create(Uint8Array.prototype),
  new Date(Number.NaN),
  new Date(0),
  new ArrayBuffer(16),
  new DataView(new ArrayBuffer(16)),
  new Proxy(new Uint8Array(16), {}),
  Array(16).fill(0),
  { length: 16, byteLength: 16, [Symbol.toStringTag]: 'Uint8Array' },
  new Int8Array(16),
  new Uint8Array(new SharedArrayBuffer(16)),
  Buffer.alloc(16, 1),
  detached,
  runInNewContext('new Uint8Array(16).fill(7)'),
  'pre_fix',
  'x'.repeat(1_000_000),
  `user-${'0'.repeat(100_000)}`,
  `${'x'.repeat(64)}-${UUID}`,
  // Lone surrogates. The test vectors are a JSON file and contain none, because
  // some JSON parsers reject lone surrogates.
  `${ID.slice(0, -1)}\ud800`,
  'user_01j0b3v1mmeedtx9cpdgkfhbc\udfff',
]

export const anything: Arbitrary<unknown> = fc.oneof(
  { weight: 8, arbitrary: near },
  { weight: 4, arbitrary: encoded },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 120 }) },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: 15, maxLength: 17 }) },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 40 }) },
  { weight: 1, arbitrary: fc.anything() },
)

export const WRONG: readonly unknown[] = [
  ...ODD,
  ...VECTORS.invalid.map(({ text }) => text),
]

/**
 * Listed, not generated: fast-check reads the properties of generated values,
 * and some hostile values throw when their properties are read.
 */
export const HOSTILE: readonly unknown[] = [...WRONG, ...TRAPPED]

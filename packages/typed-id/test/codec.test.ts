import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import { idCodec } from '../src/codec.ts'
import { defineId, type IdOf, idRegistry } from '../src/index.ts'

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>
const id = UserId.example

describe.each([
  ['text', id],
  ['uuid', UserId.toUuid(id)],
  ['bytes', Buffer.from(UserId.toBytes(id))],
] as const)('the storage %s', (storage, stored) => {
  const { toDatabase, fromDatabase } = idCodec(UserId, storage, 'users.id')

  test('converts an id in both directions', () => {
    expect(toDatabase(id)).toEqual(stored)
    expect(fromDatabase(stored)).toBe(id)
  })

  test('leaves null and undefined unchanged', () => {
    for (const convert of [toDatabase, fromDatabase])
      expect([null, undefined].map(convert)).toEqual([null, undefined])
  })

  test('rejects an id of another type with the name of the column', () => {
    expect(() => toDatabase(defineId('team').example as never)).toThrow(
      'wrong type: expected user in column users.id, received team in "team-0190163d-8694-739b-aea5-966c26f8ad91"',
    )
  })

  const detached = new ArrayBuffer(16)
  structuredClone(detached, { transfer: [detached] })

  test.each([5, '', Buffer.alloc(15), detached])(
    'rejects the stored value %j with the column',
    (value) => {
      const error = {
        code: expect.stringMatching(/^(malformed|invalid|not_a)_/),
        message: expect.stringMatching(
          / in column users\.id, received ("[^"]*"|\w+)$/,
        ),
      }
      expect(() => fromDatabase(value)).toThrow(expect.objectContaining(error))
    },
  )
})

test.each<[string, unknown]>([
  ['libSQL', Uint8Array.from(UserId.toBytes(id)).buffer],
  ['D1', [...UserId.toBytes(id)]],
  ['better-sqlite3', Buffer.from(UserId.toBytes(id))],
  ["PostgreSQL's JSON", `\\x${UserId.toUuid(id).replaceAll('-', '')}`],
])('reads the bytes of %s, and rejects wrong ones', (_, stored) => {
  const { fromDatabase } = idCodec(UserId, 'bytes', 'users.id')
  expect(fromDatabase(stored)).toBe(id)
  const [, ...short] = UserId.toBytes(id)
  for (const wrong of [
    Uint8Array.from(short).buffer,
    ...[256, -1, 0.5, '1', 1n].map((byte) => [...short, byte]),
    new Int8Array(16),
    ...['', '0\\x', '\\x0'].map((start) => start + '0'.repeat(32)),
    `\\x${'0'.repeat(31)}`,
    new Array(16),
  ])
    expect(() => fromDatabase(wrong)).toThrow(
      'invalid bytes: expected Uint8Array(16) in column users.id',
    )
})

test('bytes are a Buffer, which the drivers of MySQL require, or a Uint8Array where the runtime has no Buffer', () => {
  const { toDatabase } = idCodec(UserId, 'bytes', 'users.id')
  expect(Buffer.isBuffer(toDatabase(id))).toBe(true)
  vi.stubGlobal('Buffer', undefined)
  const bytes = toDatabase(id)
  vi.unstubAllGlobals()
  expect(bytes).toStrictEqual(UserId.toBytes(id))
})

test('the types follow the storage, keep null, and are never any', () => {
  const { toDatabase } = idCodec(UserId, 'bytes', 'users.id')
  const { fromDatabase, toDatabase: toUuid } = idCodec(UserId, 'uuid', 'id')
  expectTypeOf(toDatabase(id)).toEqualTypeOf<Uint8Array>()
  expectTypeOf(
    toDatabase<UserId | null>,
  ).returns.toEqualTypeOf<Uint8Array | null>()
  expectTypeOf(toUuid(id)).toEqualTypeOf<string>()
  type Unknown = UserId | null | undefined
  expectTypeOf(fromDatabase<unknown>).returns.toEqualTypeOf<Unknown>()
  // biome-ignore lint/suspicious/noExplicitAny: a driver without types
  expectTypeOf(fromDatabase<any>).returns.toEqualTypeOf<Unknown>()
  expectTypeOf(
    fromDatabase<string | null>,
  ).returns.toEqualTypeOf<UserId | null>()
})

test('the option upperCase accepts UUIDs in upper case, and nothing else that is invalid', () => {
  const upper = UserId.toUuid(id).toUpperCase()
  const { fromDatabase } = idCodec(UserId, 'uuid', 'users.id', {
    upperCase: true,
  })
  expect([upper, UserId.toUuid(id)].map(fromDatabase)).toEqual([id, id])
  for (const value of [`${upper}0`, id.toUpperCase(), 5])
    expect(() => fromDatabase(value)).toThrow('in column users.id')
  expect(() => idCodec(UserId, 'uuid', 'users.id').fromDatabase(upper)).toThrow(
    'in column users.id',
  )
})

test('the column of a registry stores the current ids of each type, as text', () => {
  const TeamId = defineId('team')
  const ids = idRegistry([UserId, TeamId])
  const { toDatabase, fromDatabase } = idCodec(ids, 'text', 'log.subject')
  expectTypeOf(fromDatabase<string>).returns.toEqualTypeOf<
    UserId | IdOf<typeof TeamId>
  >()
  // @ts-expect-error an id of another type
  expect(() => toDatabase(defineId('role').example)).toThrow(
    'expected user, team in column log.subject, received role in',
  )
  expect(() => idCodec(ids, 'uuid', 'log.subject')).toThrow(
    new TypeError(
      'column log.subject: expected the storage text, received uuid',
    ),
  )
})

test('an unknown storage throws with the storages and the column', () => {
  expect(() => idCodec(UserId, 'binary' as 'bytes', 'users.id')).toThrow(
    new TypeError(
      'column users.id: expected the storage text or uuid or bytes, received binary',
    ),
  )
})

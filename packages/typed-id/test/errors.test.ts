import { inspect } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { fromBase62 } from '../src/base62.ts'
import {
  defineId,
  idRegistry,
  TYPED_ID_ERROR_CODES,
  type TypedId,
  TypedIdError,
  type TypedIdErrorCode,
  uuidv7At,
} from '../src/index.ts'

import { countingUuids } from '../src/testing.ts'
import { anyIdSchema, idSchema } from '../src/zod.ts'

const UserId = defineId('user')
const TeamId = defineId('team')
const ids = idRegistry([UserId, TeamId])
const SHORT = UserId.toShort(UserId.example)
const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'

const throwing = {
  toString() {
    throw new Error('toString was called')
  },
  [Symbol.toPrimitive]() {
    throw new Error('toPrimitive was called')
  },
  get length() {
    throw new Error('length was read')
  },
}
const trap = () => {
  throw new Error('a trap was called')
}
const proxy = new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap, ownKeys: trap })
const revoked = Proxy.revocable([], {})
revoked.revoke()

const hostile: [string, unknown][] = [
  ['undefined', undefined],
  ['null', null],
  ['a number', 42],
  ['NaN', Number.NaN],
  ['a huge bigint', 2n ** 100_000n],
  ['a boolean', true],
  ['a symbol', Symbol(`user-${UUID}`)],
  ['a function', () => `user-${UUID}`],
  ['an array that joins to an id', [`user-${UUID}`]],
  ['an array', []],
  ['a String object', new String(`user-${UUID}`)],
  ['an object whose every method throws', throwing],
  ['an object without a prototype', Object.create(null)],
  ['a proxy whose every trap throws', proxy],
  ['a revoked proxy', revoked.proxy],
  ['a proxy of 16 bytes', new Proxy(new Uint8Array(16), {})],
]

const functions: [string, (value: unknown) => unknown][] = [
  ['parse', UserId.parse],
  ['parseAny', UserId.parseAny],
  ['toShort', (value) => UserId.toShort(value as TypedId<'user'>)],
  ['fromShort', (value) => UserId.fromShort(value as string)],
  ['toUuid', (value) => UserId.toUuid(value as TypedId<'user'>)],
  ['fromUuid', (value) => UserId.fromUuid(value as string)],
  ['toBytes', (value) => UserId.toBytes(value as TypedId<'user'>)],
  ['fromBytes', (value) => UserId.fromBytes(value as Uint8Array)],
  ['timestamp', (value) => UserId.timestamp(value as TypedId<'user'>)],
  ['registry parse', ids.parse],
]

describe.each(hostile)('given %s', (_, value) => {
  test.each(functions)('%s throws a TypedIdError with a short message', (name, call) => {
    const error = errorOf(() => call(value))
    expect(error.code).toBe(name === 'fromBytes' ? 'invalid_bytes' : 'not_a_string')
    expect(error.message.length).toBeLessThan(150)
  })

  test('the safe functions return the error that the throwing functions throw', () => {
    for (const [safe, strict] of [
      [UserId.safeParse, UserId.parse],
      [UserId.safeParseAny, UserId.parseAny],
      [ids.safeParse, ids.parse],
    ] as const) {
      const { success, error } = safe(value)
      expect(success).toBe(false)
      const thrown = errorOf(() => strict(value))
      expect(error).toEqual(thrown)
      expect(error?.message).toBe(thrown.message)
    }
  })

  test('the guards and schemas reject it', () => {
    expect(UserId.is(value)).toBe(false)
    expect(ids.is(value)).toBe(false)
    expect(UserId['~standard'].validate(value)).toEqual({
      issues: [expect.objectContaining({ message: expect.any(String) })],
    })
    if (value !== proxy && value !== revoked.proxy) {
      expect(idSchema(UserId).safeParse(value).success).toBe(false)
      expect(anyIdSchema(UserId).safeParse(value).success).toBe(false)
    }
  })

  test('defineId rejects it as a prefix', () => {
    expect(errorOf(() => defineId(value as string)).code).toBe('invalid_prefix')
  })
})

describe('a string of 10 MB', () => {
  const huge: [string, string][] = [
    ['of one letter', 'a'.repeat(10_000_000)],
    ['of separators', '_'.repeat(10_000_000)],
    ['that begins as an id', `user-${UUID}`.padEnd(10_000_000, '0')],
    ['that ends as an id', `user-${UUID}`.padStart(10_000_000, 'u')],
    ['that ends as a short id', 'user_01j0b3v1mmeedtx9cpdgkfhbch'.padStart(10_000_000, 'u')],
  ]
  test.each(huge)(
    '%s is rejected with a short message, ten times in 2 seconds of processor time',
    (_, text) => {
      const start = process.cpuUsage()
      for (const [, call] of functions) expect(errorOf(() => call(text)).message.length).toBeLessThan(300)
      expect(errorOf(() => defineId(text as string)).message.length).toBeLessThan(300)
      expect(process.cpuUsage(start).user).toBeLessThan(2e6) // microseconds
    },
  )
})

describe('fromBytes', () => {
  test.each([
    ['15 bytes', new Uint8Array(15)],
    ['17 bytes', new Uint8Array(17)],
    ['no bytes', new Uint8Array()],
    ['16 signed bytes', new Int8Array(16)],
    ['8 words', new Uint16Array(8)],
    ['16 words', new Uint16Array(16)],
    ['a view', new DataView(new ArrayBuffer(16))],
    ['a buffer', new ArrayBuffer(16)],
    ['an array of 16 numbers', Array(16).fill(0)],
    ['an array-like object', { length: 16, byteLength: 16, [Symbol.toStringTag]: 'Uint8Array' }],
  ])('rejects %s', (_, bytes) => {
    expect(errorOf(() => UserId.fromBytes(bytes as Uint8Array)).code).toBe('invalid_bytes')
  })

  test('accepts a Buffer and a view of a part of a larger array', () => {
    expect(UserId.fromBytes(Buffer.from(UUID.replaceAll('-', ''), 'hex'))).toBe(UserId.example)
    const wide = new Uint8Array(40)
    wide.set(UserId.toBytes(UserId.example), 7)
    expect(UserId.fromBytes(wide.subarray(7, 23))).toBe(UserId.example)
  })
})

describe('fromUuid', () => {
  test.each([
    UUID.toUpperCase(),
    `{${UUID}}`,
    `urn:uuid:${UUID}`,
    UUID.replaceAll('-', ''),
    `user-${UUID}`,
    `${UUID}\n`,
    '',
  ])('rejects %j', (text) => {
    expect(errorOf(() => UserId.fromUuid(text)).code).toBe('invalid_uuid')
  })
})

describe('a TypedIdError', () => {
  test('has the expected and the received prefix for a wrong type, in both forms', () => {
    const expected = { code: 'wrong_type', expected: 'user', received: 'team' }
    expect(errorOf(() => UserId.parse(TeamId.example))).toMatchObject(expected)
    expect(errorOf(() => UserId.parseAny(TeamId.toShort(TeamId.example)))).toMatchObject(expected)
    expect(errorOf(() => UserId.fromShort(TeamId.toShort(TeamId.example)))).toMatchObject(expected)
    expect(errorOf(() => UserId.toShort(TeamId.example as string as TypedId<'user'>))).toMatchObject(expected)
  })

  test.each<[TypedIdErrorCode, () => unknown, string]>([
    ['not_a_string', () => UserId.parse(5), 'not a string: expected user-<lowercase uuid>, received 5'],
    ['not_a_string', () => UserId.parse(null), 'not a string: expected user-<lowercase uuid>, received null'],
    [
      'malformed_standard',
      () => ids.parse('nope'),
      'malformed standard: expected <prefix>-<lowercase uuid>, received "nope"',
    ],
    [
      'malformed_short',
      () => fromBase62(UserId, 'nope'),
      'malformed short: expected user_<1 to 22 base 62 digits>, received "nope"',
    ],
    [
      'invalid_count',
      () => countingUuids(-1),
      'invalid count: expected a whole number from 0 to 999999999999, received -1',
    ],
    [
      'wrong_type',
      () => UserId.parse(TeamId.example),
      `wrong type: expected user, received team in "team-${UUID}"`,
    ],
    [
      'malformed_standard',
      () => UserId.parse('nope'),
      'malformed standard: expected user-<lowercase uuid>, received "nope"',
    ],
    [
      'malformed_short',
      () => UserId.fromShort('user_x'),
      'malformed short: expected user_<26 base32 digits>, received "user_x"',
    ],
    [
      'unknown_prefix',
      () => ids.parse(`role-${UUID}`),
      `unknown prefix: expected user, team, received role in "role-${UUID}"`,
    ],
    [
      'invalid_prefix',
      () => defineId('no-hyphen' as string),
      'invalid prefix: expected [a-zA-Z0-9]{1,63}, received "no-hyphen"',
    ],
    [
      'duplicate_prefix',
      () => idRegistry([UserId, defineId('user')]),
      'duplicate prefix: expected one type per prefix, received "user"',
    ],
    [
      'malformed_standard',
      () => UserId.parse(SHORT),
      `malformed standard: expected user-<lowercase uuid> (or use parseAny), received "${SHORT}"`,
    ],
    [
      'malformed_short',
      () => UserId.fromShort(UserId.example),
      `malformed short: expected user_<26 base32 digits> (or use parseAny), received "${UserId.example}"`,
    ],
    ['invalid_uuid', () => UserId.fromUuid('5'), 'invalid uuid: expected <lowercase uuid>, received "5"'],
    [
      'invalid_bytes',
      () => UserId.fromBytes(new Uint8Array(3)),
      'invalid bytes: expected Uint8Array(16), received object',
    ],
    ['invalid_time', () => uuidv7At(-1), 'invalid time: expected 0 to 2^48 - 1 ms, received -1'],
    [
      'invalid_count',
      () => UserId.generateMany(-1),
      'invalid count: expected 0 to 2^32 - 1 ids, received -1',
    ],
  ])('with code %s names the expected and the received value', (code, action, message) => {
    expect(errorOf(action)).toMatchObject({ code, message, name: 'TypedIdError' })
    expect(TYPED_ID_ERROR_CODES).toContain(code)
  })

  test('is about the form that the separator indicates', () => {
    expect(errorOf(() => UserId.parseAny('user_x')).code).toBe('malformed_short')
    expect(errorOf(() => UserId.parseAny('user-x')).code).toBe('malformed_standard')
    expect(ids.safeParse('user_x').error?.code).toBe('malformed_short')
    expect(ids.safeParse('user-x').error?.code).toBe('malformed_standard')
  })

  test('quotes 80 characters of a value and escapes control characters and lone surrogates', () => {
    expect(errorOf(() => UserId.parse(`${'x'.repeat(100)}`)).received).toBe(`"${'x'.repeat(80)}"…`)
    expect(errorOf(() => UserId.parse('x'.repeat(80))).received).toBe(`"${'x'.repeat(80)}"`)
    expect(errorOf(() => UserId.parse('a\n\u001b[31m\ud800')).received).toBe('"a\\u{a}\\u{1b}[31m\\u{d800}"')
  })

  test('is an Error whose stack starts with its name', () => {
    const error = errorOf(() => UserId.parse('nope'))
    expect(error).toBeInstanceOf(Error)
    expect(error.stack).toMatch(
      /^TypedIdError: malformed standard: expected user-<lowercase uuid>, received "nope"\n\s+at /,
    )
  })

  test('is created once and without a stack by the safe functions, which restore Error.stackTraceLimit', () => {
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 7
    const result = UserId.safeParse('nope')
    expect(result.error?.stack).toBeUndefined()
    expect(inspect(result.error)).toMatch(
      /^\[TypedIdError: malformed standard: expected user-<lowercase uuid>, /,
    )
    expect(result.error).toBe(result.error)
    expect(Error.stackTraceLimit).toBe(7)
    Error.stackTraceLimit = limit
  })

  test('as a cause, shows its reason, and the error the line of the throw', () => {
    const rethrow = (text: string) => {
      const result = UserId.safeParse(text)
      if (result.error) throw new Error('invalid user id', { cause: result.error })
    }
    const [, line] = /(\d+):\d+\)?$/m.exec(new Error('here').stack ?? '') ?? []
    const throwing = `errors.test.ts:${Number(line) - 2}:`
    let thrown: unknown
    try {
      rethrow(TeamId.example)
    } catch (error) {
      thrown = error
    }
    expect(inspect(thrown).split('\n')[1]).toContain(throwing)
    expect(inspect(thrown)).toContain('wrong type: expected user, received team')
    expect(inspect(UserId.safeParse(TeamId.example).error)).not.toContain('errors.test.ts')
  })

  test('is created where Error.stackTraceLimit is read-only', async () => {
    vi.resetModules()
    Object.defineProperty(Error, 'stackTraceLimit', { writable: false })
    try {
      expect(UserId.safeParse('nope').error?.code).toBe('malformed_standard')
    } finally {
      Object.defineProperty(Error, 'stackTraceLimit', { writable: true })
    }
  })
})

function errorOf(action: () => unknown): TypedIdError {
  try {
    action()
  } catch (error) {
    if (error instanceof TypedIdError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

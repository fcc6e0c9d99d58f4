import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import { REPOSITORY } from 'testkit/documents.ts'
import { describe, expect, test, vi } from 'vitest'
import {
  defineId,
  idRegistry,
  isTypedIdError,
  TYPED_ID_ERROR_CODES,
  TypedIdError,
  uuidv7At,
} from '../src/index.ts'

const UserId = defineId('user')
const TeamId = defineId('team')
const ids = idRegistry([UserId, TeamId])
const SHORT = UserId.toShort(UserId.example)
const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'

describe('a TypedIdError', () => {
  // biome-ignore format: one message a line
  const MESSAGES: [string, () => unknown][] = [
    ['not a string: expected "user-" and a lowercase UUID, received 5', () => UserId.parse(5)],
    ['not a string: expected a prefix, "-" and a lowercase UUID, received null', () => ids.parse(null)],
    ['not a valid id: expected a prefix, "-" and a lowercase UUID, received "nope"', () => ids.parse('nope')],
    [`not a valid id: expected a prefix, "-" and a lowercase UUID, received "a-b-${UUID}"`, () => ids.parse(`a-b-${UUID}`)],
    [`wrong type: expected user, received team in "team-${UUID}"`, () => UserId.parse(TeamId.example)],
    [`unknown prefix: expected user, team, received role in "role-${UUID}"`, () => ids.parse(`role-${UUID}`)],
    ['invalid prefix: expected 1 to 63 letters and digits, received "no-hyphen"', () => defineId('no-hyphen' as string)],
    ['invalid prefix: expected 1 to 63 letters and digits, received "order_line"', () => defineId('order_line' as string)],
    ['duplicate prefix: expected one type per prefix, received "user"', () => idRegistry([UserId, defineId('user')])],
    [`short form of a valid user id: expected "user-" and a lowercase UUID, received "${SHORT}"`, () => UserId.parse(SHORT)],
    [`short form of a valid team id: expected "team-" and a lowercase UUID, received "${SHORT.replace('user', 'team')}"`, () => ids.parse(SHORT.replace('user', 'team'))],
    ['invalid uuid: expected a lowercase UUID, received "5"', () => UserId.fromUuid('5')],
    ['invalid bytes: expected Uint8Array(16), received object', () => UserId.fromBytes(new Uint8Array(3))],
    ['invalid time: expected 0 to 2^48 - 1 ms, received -1', () => uuidv7At(-1)],
    ['invalid count: expected 0 to 2^32 - 1 ids, received -1', () => UserId.generateMany(-1)],
    [`not a valid user id: expected "user-" and a lowercase UUID, received 31 of 32 digits in "user-${UUID.slice(1)}"`, () => UserId.parse(`user-${UUID.slice(1)}`)],
    [`not a valid user id: expected "user-" and a lowercase UUID, received "user-${UUID}\\u{a}"`, () => UserId.parse(`user-${UUID}\n`)],
    [`wrong letter case: expected user, received User in "User-${UUID}"`, () => UserId.parse(`User-${UUID}`)],
    ['not a valid id: expected a prefix, "_" and 26 lowercase characters, received "x_y"', () => ids.parseEitherForm('x_y')],
    [`standard form of a valid user id: expected "user_" and 26 lowercase characters, received "user-${UUID}"`, () => UserId.fromShort(UserId.example)],
    ['not a valid user id: expected "user_" and 26 lowercase characters, received "user_x"', () => UserId.fromShort('user_x' as never)],
    ['not a valid user id: expected "user-" and a lowercase UUID, received "user-x"', () => UserId.parseEitherForm('user-x')],
    ...[`user-${UUID.slice(1)}g`, `user-{${UUID}`, `nope-${UUID}0`].map(
      (text): [string, () => unknown] => [
        `not a valid user id: expected "user-" and a lowercase UUID, received "${text}"`,
        () => UserId.parse(text),
      ],
    ),
  ]

  test('has the code under which the guide quotes its message', () => {
    const url = new URL('docs/guide/errors.md', REPOSITORY)
    const page = readFileSync(url, 'utf8')
    const sections = [...page.matchAll(/^### (\w+).*\n\n(.+)$/gm)]
    expect(sections.map(([, code]) => code)).toEqual(TYPED_ID_ERROR_CODES)
    // test/globals.test.ts tests the message of the last code.
    for (const [, code, quotes = ''] of sections.slice(0, -1))
      for (const [, quote = ''] of quotes.matchAll(/`(?:… )?([^`]+)`/g)) {
        const quoted = MESSAGES.filter(([message]) => message.includes(quote))
        const codes = quoted.map(([, action]) => errorOf(action).code)
        expect(codes, quote).toContain(code)
      }
  })

  test.each(MESSAGES)(
    'has the message "%s", the reason is its start, and the code is one of the list',
    (message, action) => {
      const error = errorOf(action)
      expect(error).toMatchObject({ message, name: 'TypedIdError' })
      expect(
        message.startsWith(
          `${error.reason}${error.reason.includes(', received') ? ' in "' : ', received'}`,
        ),
      ).toBe(true)
      expect(TYPED_ID_ERROR_CODES).toContain(error.code)
    },
  )

  test('quotes 80 characters of a value', () => {
    const quoted = `"${'x'.repeat(80)}"`
    expect(
      [80, 81].map((n) => UserId.safeParse('x'.repeat(n)).error?.received),
    ).toEqual([quoted, `${quoted}…`])
  })

  test('has a stack that starts with its name, and none in a result', () => {
    const message = UserId.safeParse('nope').error?.message
    expect(errorOf(() => UserId.parse('nope')).stack).toContain(
      `TypedIdError: ${message}\n    at `,
    )
    const failed = UserId.safeParse('nope').error
    expect(failed?.stack).toBeUndefined()
    expect(inspect(failed)).toContain(`[TypedIdError: ${message}]`)
  })

  test('leaves Error.stackTraceLimit unchanged, also if its creation throws', () => {
    const limit = Error.stackTraceLimit
    const { replace } = String.prototype
    try {
      String.prototype.replace = () => {
        throw new Error('broken')
      }
      expect(() => UserId.safeParse('n\u00f6pe')).toThrow('broken')
    } finally {
      String.prototype.replace = replace
    }
    expect(Error.stackTraceLimit).toBe(limit)
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

test('a failure is a plain object that keeps its error when it is spread, cloned, read through a Proxy or sent as JSON', () => {
  const failure = UserId.safeParse('nope')
  const { message } = failure.error as TypedIdError
  expect(Object.keys(failure)).toEqual(['success', 'error'])
  expect(Object.getPrototypeOf(failure)).toBe(Object.prototype)
  expect(failure.error).toBeInstanceOf(TypedIdError)
  expect({ ...failure.error }.message).toBe(message)
  expect((structuredClone(failure).error as Error).message).toBe(message)
  expect(new Proxy(failure, {}).error?.message).toBe(message)
  expect(JSON.parse(JSON.stringify(failure))).toMatchObject({
    success: false,
    error: { code: 'malformed_standard', message },
  })
})

test('the name of a TypedIdError can be assigned and is not an own property before', () => {
  const createError = () => UserId.safeParse('nope').error as TypedIdError
  const error = createError()
  expect(Object.keys(error)).toEqual([
    'message',
    'code',
    'expected',
    'received',
    'reason',
  ])
  error.name = 'ValidationError'
  expect(Object.getOwnPropertyDescriptor(error, 'name')).toEqual({
    value: 'ValidationError',
    enumerable: true,
    writable: true,
    configurable: true,
  })
  expect(isTypedIdError(error)).toBe(true)
  expect(createError().name).toBe('TypedIdError')
})

test('isTypedIdError accepts the error of another copy of the package or of another realm, and nothing else', async () => {
  vi.resetModules()
  const copy = await import('../src/index.ts')
  const error = copy.defineId('user').safeParse('nope').error
  expect(error).not.toBeInstanceOf(TypedIdError)
  expect(isTypedIdError(error)).toBe(true)
  const { code, expected, received } = error as TypedIdError
  const sent = { code, expected, received }
  const foreign: object = runInNewContext('new Error()')
  expect(isTypedIdError(Object.assign(foreign, sent))).toBe(true)
  const trap = () => {
    throw new Error('a trap was called')
  }
  const errorWith = (fields: object) => Object.assign(new Error('x'), fields)
  for (const value of [
    null,
    sent,
    errorWith({ ...sent, code: 'ENOENT' }),
    errorWith({ code, expected }),
    errorWith({ code, received }),
    new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap }),
  ]) {
    expect(isTypedIdError(value)).toBe(false)
  }
})

test('a message escapes control, bidi and look-alike characters, quotation marks and backslashes', () => {
  const { error } = UserId.safeParse('a\n\ud800\u202e\u0435"\\')
  const received = '"a\\u{a}\\u{d800}\\u{202e}\\u{435}\\u{22}\\u{5c}"'
  expect(error).toMatchObject({
    received,
    message: expect.stringContaining(received),
  })
})

test('a registry has short messages that name at most 8 types and the number of the others', () => {
  const types = Array.from({ length: 9 }, (_, i) =>
    defineId(`type${i}` as string),
  )
  const messageOf = (count: number) =>
    idRegistry(types.slice(0, count)).safeParse(UserId.example).error?.message
  const named = 'type0, type1, type2, type3, type4, type5, type6, type7'
  const rest = `received user in "${UserId.example}"`
  expect([8, 9].map(messageOf)).toEqual([
    `unknown prefix: expected ${named}, ${rest}`,
    `unknown prefix: expected ${named} or 1 more, ${rest}`,
  ])
  expect(idRegistry([]).safeParse(UserId.example).error?.expected).toBe(
    'a registered type (there is none)',
  )
})

test('the issue of a Standard Schema is a plain, frozen object with the fields of the error', () => {
  const { message, code, expected, received } = errorOf(() =>
    UserId.parse('nope'),
  )
  const issue = { message, code, expected, received }
  for (const { '~standard': standard } of [UserId, ids]) {
    const { issues } = standard.validate('nope')
    expect(Object.isFrozen(issues?.[0])).toBe(true)
    expect(standard).toMatchObject({ version: 1, vendor: 'typed-id' })
  }
  expect(UserId['~standard'].validate('nope').issues).toStrictEqual([issue])
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

import type { StandardSchemaV1 } from '@standard-schema/spec'
import { expect, test, vi } from 'vitest'
import { defineId, idRegistry, isTypedIdError, TypedIdError } from '../src/index.ts'

const UserId = defineId('user')
const TeamId = defineId('team')
const ids = idRegistry([UserId, TeamId])

const failures = {
  safeParse: () => UserId.safeParse('nope'),
  safeParseAny: () => UserId.safeParseAny('user_nope'),
  'safeParse of a registry': () => ids.safeParse('role-nope'),
}

for (const [name, fail] of Object.entries(failures)) {
  const message = (() => {
    const result = fail()
    return result.success ? '' : result.error.message
  })()

  test(`the failure of ${name} has the own properties success and error and no others`, () => {
    const result = fail()
    expect(Object.keys(result)).toEqual(['success', 'error'])
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
    expect(result.error).toBe(result.error)
    expect(result.error).toBeInstanceOf(TypedIdError)
  })

  test(`the failure of ${name} keeps its error when it is spread, cloned, read through a Proxy or sent as JSON`, () => {
    expect({ ...fail() }.error?.message).toBe(message)
    expect({ ...fail().error }.message).toBe(message)
    expect(Object.assign({}, fail()).error?.message).toBe(message)
    expect((structuredClone(fail()).error as Error).message).toBe(message)
    expect(new Proxy(fail(), {}).error?.message).toBe(message)
    expect(JSON.parse(JSON.stringify(fail()))).toMatchObject({
      success: false,
      error: { code: expect.stringMatching(/^malformed/), message },
    })
  })
}

test('toEqual distinguishes two failures', () => {
  expect(UserId.safeParse('nope')).toEqual(UserId.safeParse('nope'))
  expect(UserId.safeParse('nope')).not.toEqual(UserId.safeParse('user-x'))
  expect(UserId.safeParse(TeamId.example)).not.toEqual(TeamId.safeParse('nope'))
})

test('Error.stackTraceLimit is unchanged after every failure, also one that throws', () => {
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

test('the name of a TypedIdError can be assigned and is no own property before', () => {
  const error = UserId.safeParse('nope').error as TypedIdError
  expect(error.name).toBe('TypedIdError')
  expect(Object.keys(error)).toEqual(['code', 'expected', 'received', 'message'])
  error.name = 'ValidationError'
  expect(Object.getOwnPropertyDescriptor(error, 'name')).toEqual({
    value: 'ValidationError',
    enumerable: true,
    writable: true,
    configurable: true,
  })
  expect(isTypedIdError(error)).toBe(true)
  expect((UserId.safeParse('nope').error as TypedIdError).name).toBe('TypedIdError')
})

test('isTypedIdError accepts the error of another copy of the package, and nothing else', async () => {
  vi.resetModules()
  const copy = await import('../src/index.ts')
  const error = copy.defineId('user').safeParse('nope').error
  expect(error).not.toBeInstanceOf(TypedIdError)
  expect(isTypedIdError(error)).toBe(true)
  const trap = () => {
    throw new Error('a trap was called')
  }
  for (const value of [
    undefined,
    null,
    'not_a_string',
    { code: 'not_a_string' },
    { code: 'not_a_string', expected: '', received: '' },
    Object.assign(new Error('x'), { code: 'ENOENT', expected: '', received: '' }),
    Object.assign(new Error('x'), { code: 'not_a_string', expected: '' }),
    Object.assign(new Error('x'), { code: 'not_a_string', received: '' }),
    new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap }),
  ]) {
    expect(isTypedIdError(value)).toBe(false)
  }
})

test.each([
  ['a C1 control', '\u009b31m', '"\\u{9b}31m"'],
  ['ESC', '\u001b[31m', '"\\u{1b}[31m"'],
  ['DEL', '\u007f', '"\\u{7f}"'],
  ['a bidi override', '\u202euser', '"\\u{202e}user"'],
  ['a line separator', '\u2028\u2029', '"\\u{2028}\\u{2029}"'],
  ['a byte order mark', '\ufeffuser', '"\\u{feff}user"'],
  ['a tag character', '\u{e0041}', '"\\u{db40}\\u{dc41}"'],
  ['a look-alike letter', 'us\u0435r-1', '"us\\u{435}r-1"'],
  ['a quotation mark and a backslash', '"\\', '"\\u{22}\\u{5c}"'],
])('a message escapes %s', (_, text, received) => {
  const { error } = UserId.safeParse(text)
  expect(error?.received).toBe(received)
  expect(error?.message).toContain(received)
  expect(JSON.stringify(error?.message).length).toBeLessThan(200)
})

test('a registry of 500 types has short messages that name the number of types', () => {
  const many = idRegistry(Array.from({ length: 500 }, (_, i) => defineId(`type${i}` as string)))
  const { error } = many.safeParse(UserId.example)
  expect(error?.message).toBe(
    `unknown prefix: expected type0, type1, type2, type3, type4, type5, type6, type7 or 492 more, received user in "${UserId.example}"`,
  )
  expect(idRegistry([]).safeParse(UserId.example).error?.expected).toBe('a registered type (there is none)')
})

test('a library that accepts any Standard Schema gets the id, or the error that parse throws as the only issue', () => {
  const standard: StandardSchemaV1<string, unknown>['~standard'] = UserId['~standard']
  expect(standard.validate(UserId.example)).toEqual({ value: UserId.example })
  expect(standard.validate('nope')).toEqual({ issues: [UserId.safeParse('nope').error] })
  expect(standard).toMatchObject({ version: 1, vendor: 'typed-id' })
})

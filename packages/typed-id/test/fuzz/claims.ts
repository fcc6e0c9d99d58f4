import { inspect, isDeepStrictEqual, types as typesOf } from 'node:util'
import { fromBase62, toBase62 } from '../../src/forms/base62.ts'
import { idFromName } from '../../src/generate/name.ts'
import {
  defineId,
  idRegistry,
  type SafeResult,
  TYPED_ID_ERROR_CODES,
  TypedIdError,
  type TypedIdErrorCode,
  uuidv7At,
} from '../../src/index.ts'
import { countingUuids } from '../../src/testing.ts'
import * as reference from '../reference.ts'
import { PREFIXES } from './values.ts'

const types = PREFIXES.map((prefix) => defineId(prefix as string))
const [UserId = defineId('user')] = types
const ids = idRegistry(types)

function matches(pattern: string) {
  const matcher = new RegExp(pattern)
  return (value: unknown) => typeof value === 'string' && matcher.test(value)
}

// biome-ignore lint/suspicious/noExplicitAny: the functions are called with values that their types do not allow.
type Any = any

/**
 * An error message contains the registry's prefixes, and up to 80 characters of
 * the value, or 640 if each character is escaped, as in `\u{ffff}`.
 */
const LONGEST_MESSAGE = 800
const LONGEST_WITHOUT_VALUE = 150

/*
 * Each function below uses the reference implementation to compute the result
 * that a library function must return: undefined if the library must throw.
 */

const asText = (value: unknown) => (typeof value === 'string' ? value : '')

const standard = (value: unknown) =>
  reference.isUuid(asText(value), 'user-') ? (value as string) : undefined
const short = (value: unknown) => {
  const text = asText(value)
  return reference.readSuffix(text, 'user_')
    ? `user-${reference.uuidOfNumber(reference.numberOfSuffix(text.slice(5)))}`
    : undefined
}
const either = (value: unknown) => standard(value) ?? short(value)

const ofNumber = (change: (number: bigint) => unknown) => (value: unknown) => {
  const id = standard(value)
  return id === undefined
    ? undefined
    : change(reference.numberOfUuid(id.slice(5)))
}
const accepts = (expected: (value: unknown) => unknown) => (value: unknown) =>
  expected(value) !== undefined

function tagged(value: unknown) {
  const text = asText(value)
  const type = PREFIXES.find(
    (prefix) =>
      /^[-_]/.test(text.slice(prefix.length)) && text.startsWith(prefix),
  )
  if (type === undefined) return undefined
  const id = either(`user${text.slice(type.length)}`)
  return id && { type, id: id.replace('user', type) }
}

function ofBase62(value: unknown) {
  const [, digits] =
    /^user_(0|[1-9A-Za-z][0-9A-Za-z]{0,21})$/.exec(asText(value)) ?? []
  const number = digits ? reference.numberOfBase62(digits) : 2n ** 128n
  return number < 2n ** 128n
    ? `user-${reference.uuidOfNumber(number)}`
    : undefined
}

const ofBytes = (value: unknown) =>
  ArrayBuffer.isView(value) &&
  Object.prototype.toString.call(value) === '[object Uint8Array]' &&
  value.byteLength === 16
    ? `user-${reference.uuidOfNumber(BigInt(`0x${Buffer.from(value as Uint8Array).toString('hex')}`))}`
    : undefined

function timeOf(value: unknown): number[] | undefined {
  const time =
    typeof value === 'number'
      ? value
      : typesOf.isDate(value)
        ? value.getTime()
        : Number.NaN
  return time >= 0 && time < 2 ** 48 ? [Math.abs(Math.floor(time))] : undefined
}

const isCount = (value: unknown, most: number): value is number =>
  typeof value === 'number' &&
  Number.isInteger(value) &&
  value >= 0 &&
  value <= most

const unwrap =
  (safe: (value: Any) => SafeResult<unknown>) => (value: unknown) => {
    const { success, data, error } = safe(value)
    if (success !== (data !== undefined))
      throw new Error('success and data contradict each other')
    if (!success) throw error
    return data
  }

type ExpectedError = TypedIdErrorCode | ((value: Any) => unknown)

// biome-ignore format: one function a line
const FUNCTIONS: [
  name: string,
  call: (value: Any) => unknown,
  expected: (value: unknown) => unknown,
  error?: ExpectedError,
][] = [
  ['parse', UserId.parse, standard],
  ['parseEitherForm', UserId.parseEitherForm, either],
  ['fromShort', UserId.fromShort, short],
  ['fromUuid', UserId.fromUuid, (value) => standard(`user-${asText(value)}`)],
  ['fromBytes', UserId.fromBytes, ofBytes, 'invalid_bytes'],
  ['toShort', UserId.toShort, ofNumber((number) => `user_${reference.suffixOfNumber(number)}`), UserId.parse],
  ['toUuid', UserId.toUuid, (value) => standard(value)?.slice(5), UserId.parse],
  ['toBytes', UserId.toBytes, ofNumber(reference.bytesOfNumber), UserId.parse],
  ['timestamp', (id) => [UserId.timestamp(id)?.getTime()], ofNumber((number) => [reference.timeOfNumber(number)]), UserId.parse],
  ['version', (id) => [UserId.version(id)], ofNumber((number) => [reference.versionOfNumber(number)]), UserId.parse],
  ['registry.parseEitherForm', ids.parseEitherForm, tagged],
  ['registry.generate', (type) => ids.generate(type).slice(0, -37), (value) => PREFIXES.find((known) => known === value), 'unknown_prefix'],
  ['toBase62', (id) => toBase62(UserId, id), ofNumber((number) => `user_${reference.base62OfNumber(number)}`), UserId.parse],
  ['fromBase62', (text) => fromBase62(UserId, text), ofBase62],
  ['defineId', (prefix) => defineId(prefix).prefix, (value) => /^[a-zA-Z0-9]{1,63}$/.exec(asText(value))?.[0], 'invalid_prefix'],
  ['uuidv7At', (time) => [UserId.timestamp(UserId.fromUuid(uuidv7At(time)))?.getTime()], timeOf, 'invalid_time'],
  [
    'generateMany',
    (count) => isCount(count, 2 ** 32 - 1) && count > 1000 ? count : UserId.generateMany(count).length,
    (value) => (isCount(value, 2 ** 32 - 1) ? Math.abs(value) : undefined),
    'invalid_count',
  ],
  ['countingUuids', (first) => countingUuids(first)().length, (value) => value === undefined || isCount(value, 999_999_999_999) ? 36 : undefined, 'invalid_count'],
  ['idFromName', async (name) => UserId.is(await idFromName(UserId, name)), (value) => typeof value === 'string' && !/\p{Surrogate}/u.test(value) ? true : undefined],
  ['safeParse', unwrap(UserId.safeParse), standard, UserId.parse],
  ['safeParseEitherForm', unwrap(UserId.safeParseEitherForm), either, UserId.parseEitherForm],
  ['registry.safeParseEitherForm', unwrap(ids.safeParseEitherForm), tagged, ids.parseEitherForm],
  ['pattern', matches(UserId.pattern), accepts(standard)],
  ['shortPattern', matches(UserId.shortPattern), accepts(short)],
]

export const CLAIMS: [name: string, check: (value: unknown) => unknown][] =
  FUNCTIONS.map(([name, call, expected, error = 'not_a_string']) => [
    name,
    async (value) => {
      const wanted = expected(value)
      const found = await outcomeOf(call, value, error)
      if (!isDeepStrictEqual(found, wanted))
        throw new Error(
          `received ${inspect(found)}, the reference implementation returns ${inspect(wanted)}, for ${inspect(value).slice(0, 200)}`,
        )
    },
  ])

async function outcomeOf(
  call: (value: Any) => unknown,
  value: unknown,
  wanted: ExpectedError,
): Promise<unknown> {
  let found: unknown
  try {
    found = await call(value)
  } catch (error) {
    return problemOf(error, value, wanted)
  }
  return found ?? 'undefined, and no error'
}

function problemOf(
  error: unknown,
  value: unknown,
  wanted: ExpectedError,
): string | undefined {
  if (!(error instanceof TypedIdError))
    return `an error of another kind: ${error}`
  const { code, message } = error
  const isText = typeof value === 'string'
  if (message.length > (isText ? LONGEST_MESSAGE : LONGEST_WITHOUT_VALUE))
    return `a message of ${message.length} characters`
  if (typeof wanted === 'string') {
    const isExpected = isText
      ? TYPED_ID_ERROR_CODES.includes(code)
      : code === wanted
    return isExpected ? undefined : `the code ${code}`
  }
  try {
    wanted(value)
  } catch (other) {
    return message === (other as TypedIdError).message ? undefined : message
  }
  return message
}

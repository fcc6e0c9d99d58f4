import { isDeepStrictEqual } from 'node:util'
import { fromBase62, toBase62 } from '../../src/base62.ts'

import { defineId, idRegistry, TYPED_ID_ERROR_CODES, TypedIdError, uuidv7At } from '../../src/index.ts'

import { idFromName } from '../../src/name.ts'
import { countingUuids } from '../../src/testing.ts'
import { anyIdSchema, idSchema } from '../../src/zod.ts'
import * as reference from '../reference.ts'
import {
  either,
  isCount,
  mapped,
  numberOf,
  ofBase62,
  ofBytes,
  short,
  standard,
  tagged,
  timeOf,
} from './expected.ts'
import { isTrapped, PREFIXES } from './values.ts'

const types = PREFIXES.map((prefix) => defineId(prefix as string))
const [UserId = defineId('user')] = types
const ids = idRegistry(types)
const schemas = { standard: idSchema(UserId), any: anyIdSchema(UserId) }

// biome-ignore lint/suspicious/noExplicitAny: the functions are called with values that their types do not allow.
type Any = any

/** Maximum length of a message: 80 characters of the value (6 each in JSON), and a sentence with all prefixes. */
const LONGEST_MESSAGE = 800

/** Each function with its name and its expected result. */
const FUNCTIONS: [string, (value: Any) => unknown, (value: unknown) => unknown][] = [
  ['parse', UserId.parse, standard],
  ['parseAny', UserId.parseAny, either],
  ['fromShort', UserId.fromShort, short],
  [
    'fromUuid',
    UserId.fromUuid,
    (value) => (typeof value === 'string' && reference.isUuid(value, '') ? `user-${value}` : undefined),
  ],
  ['fromBytes', UserId.fromBytes, ofBytes],
  [
    'toShort',
    UserId.toShort,
    (value) => mapped(numberOf(value), (number) => `user_${reference.suffixOfNumber(number)}`),
  ],
  ['toUuid', UserId.toUuid, (value) => standard(value)?.slice(5)],
  ['toBytes', UserId.toBytes, (value) => mapped(numberOf(value), reference.bytesOfNumber)],
  [
    'timestamp',
    (id) => [UserId.timestamp(id)?.getTime()],
    (value) => mapped(numberOf(value), (number) => [reference.timeOfNumber(number)]),
  ],
  ['registry.parse', ids.parse, tagged],
  [
    'registry.generate',
    (type) => ids.generate(type).slice(0, -37),
    (value) => PREFIXES.find((known) => known === value),
  ],
  [
    'toBase62',
    (id) => toBase62(UserId, id),
    (value) => mapped(numberOf(value), (number) => `user_${reference.base62OfNumber(number)}`),
  ],
  ['fromBase62', (text) => fromBase62(UserId, text), ofBase62],
  [
    'defineId',
    (prefix) => defineId(prefix).prefix,
    (value) => (typeof value === 'string' && /^[a-zA-Z0-9]{1,63}$(?!\n)/.test(value) ? value : undefined),
  ],
  // uuidv7At checks for a Date with instanceof, which reads the prototype: a trapped value throws its own error.
  [
    'uuidv7At',
    (time) => isTrapped(time) || [UserId.timestamp(UserId.fromUuid(uuidv7At(time)))?.getTime()],
    (value) => isTrapped(value) || timeOf(value),
  ],
  // Larger valid counts are skipped: they would take gigabytes.
  [
    'generateMany',
    (count) => (isCount(count, 2 ** 32 - 1) && count > 1000 ? count : UserId.generateMany(count).length),
    (value) => (isCount(value, 2 ** 32 - 1) ? Math.abs(value) : undefined),
  ],
  [
    'countingUuids',
    (first) => countingUuids(first)().length,
    (value) => (value === undefined || isCount(value, 999_999_999_999) ? 36 : undefined),
  ],
]

/** The functions that return an error instead of throwing it, with their names and expected data. */
const SAFE: [
  string,
  (value: unknown) => { success: boolean; data?: unknown; error?: unknown },
  (value: unknown) => unknown,
][] = [
  ['safeParse', UserId.safeParse, standard],
  ['safeParseAny', UserId.safeParseAny, either],
  ['registry.safeParse', ids.safeParse, tagged],
]

const GUARDS: [string, (value: Any) => unknown, (value: unknown) => unknown][] = [
  ['is', UserId.is, standard],
  ['isAny', UserId.isAny, either],
  ['registry.is', ids.is, (value) => (tagged(value)?.id === value ? value : undefined)],
  ['~standard', (value) => !UserId['~standard'].validate(value).issues, standard],
  [
    'idSchema',
    (value) => isTrapped(value) || reads(schemas.standard, value, standard(value)),
    (value) => isTrapped(value) || standard(value),
  ],
  [
    'anyIdSchema',
    (value) => isTrapped(value) || reads(schemas.any, value, either(value)),
    (value) => isTrapped(value) || either(value),
  ],
]

/** A check for each function, by its name. It throws if the function returns or throws an unexpected value. */
export const CLAIMS: Record<string, (value: unknown) => void | Promise<void>> = Object.fromEntries([
  ...FUNCTIONS.map(([name, run, want]) => [
    name,
    (value: unknown) =>
      expectSame(
        callSafely(() => run(value)),
        want(value),
      ),
  ]),
  ...SAFE.map(([name, run, want]) => [
    name,
    (value: unknown) => {
      const { success, data, error } = run(value)
      if (success !== (data !== undefined)) throw new Error('success and data contradict each other')
      expectSame(success ? data : checkError(error), want(value))
    },
  ]),
  ...GUARDS.map(([name, run, want]) => [
    name,
    (value: unknown) => expectSame(run(value), want(value) !== undefined && want(value) !== false),
  ]),
  [
    'idFromName',
    async (value: unknown) => {
      const found = await idFromName(UserId, value as string).catch(checkError)
      const isTaken = typeof value === 'string' && !/\p{Surrogate}/u.test(value)
      expectSame(found === undefined ? undefined : UserId.is(found), isTaken ? true : undefined)
    },
  ],
])

function reads({ safeParse }: typeof schemas.any, value: unknown, wanted: unknown): boolean {
  const { success, data } = safeParse(value)
  return success && data === wanted
}

/** Returns the result of a function, or undefined if it throws a valid TypedIdError. */
function callSafely(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return checkError(error)
  }
}

function checkError(error: unknown): undefined {
  if (!(error instanceof TypedIdError)) throw new Error(`an error of another kind: ${error}`)
  if (!TYPED_ID_ERROR_CODES.includes(error.code)) throw new Error(`the unknown code ${error.code}`)
  if (error.message.length > LONGEST_MESSAGE)
    throw new Error(`a message of ${error.message.length} characters`)
}

function expectSame(found: unknown, wanted: unknown): void {
  if (isDeepStrictEqual(found, wanted)) return
  throw new Error(
    `received ${JSON.stringify(found)}, the reference implementation returns ${JSON.stringify(wanted)}`,
  )
}

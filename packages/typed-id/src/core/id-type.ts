import { fillDigitValues } from './digits.ts'
import { createFailure, TypedIdError } from './error.ts'
import { EXAMPLE_UUID, SUFFIX_PATTERN, UUID_PATTERN } from './grammar.ts'
import { checkUuid, createIdGenerator } from './id-generator.ts'
import { checkPrefix, invalidId } from './invalid.ts'
import {
  bytesToStandard,
  isSuffix,
  isUuid,
  shortToStandard,
  standardToBytes,
  standardToSuffix,
  standardToTime,
} from './text.ts'
import type { CheckedPrefix, IdOptions, IdType, ShortId, StandardIdSchema, TypedId } from './types.ts'
import { uuidv7 } from './uuidv7.ts'

/**
 * Defines an id type by its prefix: 1 to 63 ASCII letters and digits.
 *
 * @throws TypedIdError `invalid_prefix`. An invalid string literal does not compile.
 * @example
 * export const UserId = defineId('user')
 * export type UserId = IdOf<typeof UserId>
 */
export function defineId<const P extends string>(
  prefix: CheckedPrefix<P>,
  { uuid = uuidv7 }: IdOptions = {},
): IdType<P> {
  type Id = TypedId<P>
  type Short = ShortId<P>
  const start = `${checkPrefix(prefix)}-`
  const shortStart = `${prefix}_`
  const next = createIdGenerator(uuid, start)
  fillDigitValues()

  const is = (value: unknown): value is Id => isUuid(value, start)
  const reject = (value: unknown): never => {
    throw invalidId(prefix, value, false)
  }
  const parse = (value: unknown): Id => (is(value) ? value : reject(value))

  const expandShort = (short: unknown) => shortToStandard(short, shortStart, start) as Id | undefined
  const toStandard = (value: unknown) => (is(value) ? value : expandShort(value))

  return Object.freeze<IdType<P>>({
    prefix: prefix as P,
    pattern: `^${start}${UUID_PATTERN}$`,
    shortPattern: `^${shortStart}${SUFFIX_PATTERN}$`,
    example: (start + EXAMPLE_UUID) as Id,

    generate: () => next() as Id,
    generateMany: (count) => {
      if (typeof count !== 'number' || count >>> 0 !== count)
        throw new TypedIdError('invalid_count', '0 to 2^32 - 1 ids', count)
      const ids: Id[] = []
      while (ids.length < count) ids.push(next(ids.length > 0) as Id)
      return ids
    },

    is,
    parse,
    safeParse: (value) =>
      is(value) ? { success: true, data: value } : createFailure(() => invalidId(prefix, value, false)),

    isAny: (value): value is Id | Short => is(value) || isSuffix(value, shortStart),
    parseAny: (value) => {
      const id = toStandard(value)
      if (id) return id
      throw invalidId(prefix, value)
    },
    safeParseAny: (value) => {
      const id = toStandard(value)
      return id ? { success: true, data: id } : createFailure(() => invalidId(prefix, value))
    },

    toShort: (id) => (shortStart + standardToSuffix(id, start, reject)) as Short,
    fromShort: (short) => {
      const id = expandShort(short)
      if (id) return id
      throw invalidId(prefix, short, true)
    },
    toUuid: (id) => parse(id).slice(-36),
    fromUuid: (uuid) => (start + checkUuid(uuid)) as Id,
    toBytes: (id) => standardToBytes(id, start, reject),
    fromBytes: (bytes) => {
      const id = bytesToStandard(bytes, start)
      if (id) return id as Id
      throw new TypedIdError('invalid_bytes', 'Uint8Array(16)', bytes)
    },

    timestamp: (id) => standardToTime(id, start, reject),

    '~standard': Object.freeze<StandardIdSchema<P>>({
      version: 1,
      vendor: 'typed-id',
      validate: (value) =>
        is(value) ? { value } : { issues: [createFailure(() => invalidId(prefix, value, false)).error] },
    }),
  })
}

import { TypedIdError } from './error.ts'
import { explainAny, explainShort, explainStandard } from './explain.ts'
import { type CheckedPrefix, isPrefix } from './prefix.ts'
import { Failure } from './result.ts'
import { checkUuid, generatorOf } from './source.ts'
import {
  bytesOfUuid,
  isSuffix,
  isUuid,
  SUFFIX_LENGTH,
  SUFFIX_PATTERN,
  suffixOfUuid,
  timeOfUuid,
  UUID_LENGTH,
  UUID_PATTERN,
  uuidOfBytes,
  uuidOfSuffix,
} from './text.ts'
import type { IdOptions, IdType, ShortId, StandardIdSchema, TypedId } from './types.ts'
import { uuidv7 } from './uuid.ts'

/**
 * Defines one type of ids by its prefix: 1 to 63 ASCII letters and digits.
 *
 * @throws TypedIdError `invalid_prefix`; a literal that breaks the rule does not compile.
 * @example
 * export const UserId = defineId('user')
 * export type UserId = IdOf<typeof UserId>
 */
export function defineId<const P extends string>(
  prefix: CheckedPrefix<P>,
  options: IdOptions = {},
): IdType<P> {
  if (!isPrefix(prefix)) {
    throw new TypedIdError('invalid_prefix', '1 to 63 ASCII letters and digits', prefix)
  }
  type Id = TypedId<P>

  const head = `${prefix}-`
  const shortHead = `${prefix}_`
  const start = head.length
  const length = start + UUID_LENGTH
  const shortLength = start + SUFFIX_LENGTH
  const { uuid = uuidv7 } = options
  const generator = generatorOf(uuid, head)

  function is(value: unknown): value is Id {
    return begins(value, head, length) && isUuid(value, start)
  }

  /** The standard form of a short id, or '' for anything else. */
  function expand(value: unknown): Id | '' {
    const uuid = begins(value, shortHead, shortLength) && uuidOfSuffix(value, start)
    return uuid ? ((head + uuid) as Id) : ''
  }

  const type: IdType<P> = {
    prefix: prefix as P,
    pattern: `^${head}${UUID_PATTERN}$`,
    shortPattern: `^${shortHead}${SUFFIX_PATTERN}$`,
    example: `${head}0190163d-8694-739b-aea5-966c26f8ad91` as Id,

    generate(options) {
      const at = options?.at
      if (at === undefined) return generator.next() as Id
      return generator.at(at instanceof Date ? at.getTime() : at) as Id
    },

    generateMany(count) {
      if (Number.isInteger(count) && count >= 0 && count < 2 ** 32) return generator.many(count) as Id[]
      throw new TypedIdError('invalid_count', 'a whole number from 0 to 2^32 - 1', count)
    },

    is,

    parse(value) {
      if (is(value)) return value
      throw explainStandard(prefix, value)
    },

    safeParse(value) {
      return is(value) ? { success: true, data: value } : new Failure(explainStandard, prefix, value)
    },

    isAny(value): value is Id | ShortId<P> {
      return is(value) || (begins(value, shortHead, shortLength) && isSuffix(value, start))
    },

    parseAny(value) {
      const id = is(value) ? value : expand(value)
      if (id) return id
      throw explainAny(prefix, value)
    },

    safeParseAny(value) {
      const id = is(value) ? value : expand(value)
      return id ? { success: true, data: id } : new Failure(explainAny, prefix, value)
    },

    toShort(id) {
      const suffix = begins(id, head, length) && suffixOfUuid(id, start)
      if (suffix) return (shortHead + suffix) as ShortId<P>
      throw explainStandard(prefix, id)
    },

    fromShort(short) {
      const id = expand(short)
      if (id) return id
      throw explainShort(prefix, short)
    },

    toUuid(id) {
      return type.parse(id).slice(start)
    },

    fromUuid(uuid) {
      return (head + checkUuid(uuid)) as Id
    },

    toBytes(id) {
      const bytes = begins(id, head, length) && bytesOfUuid(id, start)
      if (bytes) return bytes
      throw explainStandard(prefix, id)
    },

    fromBytes(bytes) {
      if (isSixteenBytes(bytes)) return (head + uuidOfBytes(bytes)) as Id
      throw new TypedIdError('invalid_bytes', 'a Uint8Array of 16', bytes)
    },

    timestamp(id) {
      const ms = begins(id, head, length) ? timeOfUuid(id, start) : Number.NaN
      if (ms >= 0) return new Date(ms)
      if (ms < 0) return undefined
      throw explainStandard(prefix, id)
    },

    '~standard': Object.freeze<StandardIdSchema<P>>({
      version: 1,
      vendor: 'typed-id',
      validate(value) {
        const { data, error } = type.safeParse(value)
        return error ? { issues: [{ message: error.message }] } : { value: data as Id }
      },
    }),
  }
  return Object.freeze(type)
}

function begins(value: unknown, head: string, length: number): value is string {
  return typeof value === 'string' && value.length === length && value.startsWith(head)
}

/** Holds for arrays of another realm, too, and for no proxy. */
function isSixteenBytes(value: unknown): boolean {
  return (
    ArrayBuffer.isView(value) &&
    value.byteLength === 16 &&
    (value as Uint8Array)[Symbol.toStringTag] === 'Uint8Array'
  )
}

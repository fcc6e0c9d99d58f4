import { TypedIdError } from './error.ts'
import { explainAny, explainShort, explainStandard, explainUuid } from './explain.ts'
import { type CheckedPrefix, isPrefix } from './prefix.ts'
import { Failure, type SafeResult } from './result.ts'
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
import type { GenerateOptions, IdOptions, IdType, ShortId, StandardIdSchema, TypedId } from './types.ts'
import { type Generator, generatorOf, type UuidSource, uuidv7 } from './uuid.ts'

const EXAMPLE_UUID = '0190163d-8694-739b-aea5-966c26f8ad91'

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
  if (typeof prefix !== 'string' || !isPrefix(prefix)) {
    throw new TypedIdError('invalid_prefix', '1 to 63 ASCII letters and digits', prefix)
  }
  type Id = TypedId<P>

  const head = `${prefix}-`
  const shortHead = `${prefix}_`
  const start = head.length
  const length = start + UUID_LENGTH
  const shortLength = start + SUFFIX_LENGTH
  const { uuid = uuidv7 } = options
  const generator = generatorOf(uuid, head) ?? foreignGenerator(uuid, head)

  function generate(options?: GenerateOptions): Id {
    const at = options?.at
    if (at === undefined) return generator.next() as Id
    return generator.at(at instanceof Date ? at.getTime() : at) as Id
  }

  function generateMany(count: number): Id[] {
    if (Number.isInteger(count) && count >= 0 && count < 2 ** 32) return generator.many(count) as Id[]
    throw new TypedIdError('invalid_count', 'a whole number from 0 to 2^32 - 1', count)
  }

  function is(value: unknown): value is Id {
    return (
      typeof value === 'string' && value.length === length && value.startsWith(head) && isUuid(value, start)
    )
  }

  function parse(value: unknown): Id {
    if (is(value)) return value
    throw explainStandard(prefix, value)
  }

  function safeParse(value: unknown): SafeResult<Id> {
    return is(value) ? { success: true, data: value } : new Failure(explainStandard, prefix, value)
  }

  function isAny(value: unknown): value is Id | ShortId<P> {
    return hasShortHead(value) ? isSuffix(value, start) : is(value)
  }

  function hasShortHead(value: unknown): value is string {
    return typeof value === 'string' && value.length === shortLength && value.startsWith(shortHead)
  }

  /** The standard form of a short id, or '' for anything else. */
  function expand(value: unknown): Id | '' {
    const uuid = hasShortHead(value) && uuidOfSuffix(value, start)
    return uuid ? ((head + uuid) as Id) : ''
  }

  function parseAny(value: unknown): Id {
    const id = is(value) ? value : expand(value)
    if (id) return id
    throw explainAny(prefix, value)
  }

  function safeParseAny(value: unknown): SafeResult<Id> {
    const id = is(value) ? value : expand(value)
    return id ? { success: true, data: id } : new Failure(explainAny, prefix, value)
  }

  function toShort(id: Id): ShortId<P> {
    const suffix = typeof id === 'string' && id.startsWith(head) && suffixOfUuid(id, start)
    if (suffix) return (shortHead + suffix) as ShortId<P>
    throw explainStandard(prefix, id)
  }

  function fromShort(short: string): Id {
    const id = expand(short)
    if (id) return id
    throw explainShort(prefix, short)
  }

  function toUuid(id: Id): string {
    return parse(id).slice(start)
  }

  function fromUuid(uuid: string): Id {
    if (typeof uuid === 'string' && isUuid(uuid, 0)) return (head + uuid) as Id
    throw explainUuid(uuid)
  }

  function toBytes(id: Id): Uint8Array {
    const bytes = typeof id === 'string' && id.startsWith(head) && bytesOfUuid(id, start)
    if (bytes) return bytes
    throw explainStandard(prefix, id)
  }

  function fromBytes(bytes: Uint8Array): Id {
    if (isSixteenBytes(bytes)) return (head + uuidOfBytes(bytes)) as Id
    throw new TypedIdError('invalid_bytes', 'a Uint8Array of 16', bytes)
  }

  function timestamp(id: Id): Date | undefined {
    const ms = typeof id === 'string' && id.startsWith(head) ? timeOfUuid(id, start) : Number.NaN
    if (ms >= 0) return new Date(ms)
    if (ms < 0) return undefined
    throw explainStandard(prefix, id)
  }

  const standard: StandardIdSchema<P> = {
    version: 1,
    vendor: 'typed-id',
    validate(value) {
      const result = safeParse(value)
      return result.success ? { value: result.data } : { issues: [{ message: result.error.message }] }
    },
  }

  return Object.freeze<IdType<P>>({
    prefix: prefix as P,
    pattern: `^${head}${UUID_PATTERN}$`,
    shortPattern: `^${shortHead}${SUFFIX_PATTERN}$`,
    example: (head + EXAMPLE_UUID) as Id,
    generate,
    generateMany,
    parse,
    safeParse,
    parseAny,
    safeParseAny,
    is,
    isAny,
    toShort,
    fromShort,
    toUuid,
    fromUuid,
    toBytes,
    fromBytes,
    timestamp,
    '~standard': Object.freeze(standard),
  })
}

/** A source that is not ours is a stranger: each text it returns is checked. */
function foreignGenerator(source: UuidSource, head: string): Generator {
  function next(): string {
    const uuid: unknown = source()
    if (typeof uuid === 'string' && isUuid(uuid, 0)) return head + uuid
    throw explainUuid(uuid)
  }
  return {
    next,
    many: (count) => Array.from({ length: count }, next),
    at(time) {
      throw new TypedIdError('invalid_time', 'none, since the uuid source of this type takes no time', time)
    },
  }
}

/** Holds for arrays of another realm, too, and for no proxy. */
function isSixteenBytes(value: unknown): value is Uint8Array {
  if (!ArrayBuffer.isView(value) || value.byteLength !== 16) return false
  return (value as Uint8Array)[Symbol.toStringTag] === 'Uint8Array'
}

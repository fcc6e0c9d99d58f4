import {
  isUuid,
  readBytes,
  readSuffix,
  readUuid,
  versionOf,
  writeBytes,
  writeSuffix,
  writeTime,
  writeUuid,
} from './conversions.ts'
import { createFailure, type SafeResult, TypedIdError } from './error.ts'
import { EXAMPLE_UUID, SUFFIX_PATTERN, UUID_PATTERN } from './grammar.ts'
import { checkPrefix, explainInvalid } from './invalid.ts'
import { createStandardSchema } from './standard-schema.ts'
import type {
  CheckedPrefix,
  IdOptions,
  IdType,
  ShortId,
  TypedId,
} from './types.ts'
import {
  type IdGenerator,
  replacement,
  type TrustedSource,
  type UuidSource,
} from './uuid-source.ts'
import { uuidv7 } from './uuidv7.ts'

/**
 * Defines an id type by its prefix: 1 to 63 ASCII letters and digits.
 *
 * @throws TypedIdError `invalid_prefix`. An invalid string literal does not
 * compile.
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
  const currentGenerator = () =>
    replacement ? createIdGenerator(replacement, start) : next

  const is = (value: unknown): value is Id => isUuid(value, start)
  const reject = (value: unknown, short?: boolean): never => {
    throw new TypedIdError(...explainInvalid(prefix, value, short))
  }
  const fail = (value: unknown, short?: boolean) =>
    createFailure(
      () => new TypedIdError(...explainInvalid(prefix, value, short)),
    )
  const parse = (value: unknown): Id =>
    is(value) ? value : reject(value, false)

  const safeParse = (value: unknown): SafeResult<Id> =>
    is(value) ? { success: true, data: value } : fail(value, false)

  const read = (id: unknown) => readUuid(id, start) || reject(id, false)
  const write = () => (start + writeUuid()) as Id
  const expandShort = (short: unknown) =>
    readSuffix(short, shortStart) ? write() : undefined
  const toStandard = (value: unknown) =>
    is(value) ? value : expandShort(value)

  return Object.freeze<IdType<P>>({
    prefix: prefix as P,
    pattern: `^${start}${UUID_PATTERN}$`,
    shortPattern: `^${shortStart}${SUFFIX_PATTERN}$`,
    example: (start + EXAMPLE_UUID) as Id,

    generate: () => currentGenerator()() as Id,
    generateMany: (count) => {
      if (typeof count !== 'number' || count >>> 0 !== count)
        throw new TypedIdError('invalid_count', '0 to 2^32 - 1 ids', count)
      const generate = currentGenerator()
      const ids: Id[] = []
      while (ids.length < count) ids.push(generate(ids.length > 0) as Id)
      return ids
    },

    is: is as IdType<P>['is'],
    parse,
    safeParse,

    isEitherForm: ((value: unknown) =>
      is(value) || readSuffix(value, shortStart)) as IdType<P>['isEitherForm'],
    parseEitherForm: (value) => toStandard(value) || reject(value),
    safeParseEitherForm: (value) => {
      const id = toStandard(value)
      return id ? { success: true, data: id } : fail(value)
    },

    toShort: (id) => {
      read(id)
      return (shortStart + writeSuffix()) as Short
    },
    fromShort: (short) => expandShort(short) || reject(short, true),
    toUuid: (id) => parse(id).slice(-36),
    fromUuid: (uuid) => (start + checkUuid(uuid)) as Id,
    toBytes: (id) => {
      read(id)
      return writeBytes()
    },
    fromBytes: (bytes) => {
      if (readBytes(bytes)) return write()
      throw new TypedIdError('invalid_bytes', 'Uint8Array(16)', bytes)
    },

    timestamp: (id) => {
      read(id)
      return writeTime()
    },
    version: (id) => {
      read(id)
      return versionOf()
    },

    '~standard': createStandardSchema(safeParse),
  })
}

function createIdGenerator(source: UuidSource, start: string): IdGenerator {
  return (
    (source as Partial<TrustedSource>)['~generator']?.(start) ??
    (() => start + checkUuid(source()))
  )
}

function checkUuid(value: unknown): string {
  if (isUuid(value, '')) return value
  throw new TypedIdError(
    typeof value === 'string' ? 'invalid_uuid' : 'not_a_string',
    'a lowercase UUID',
    value,
  )
}

import { TypedIdError } from './error.ts'
import { refuse } from './explain.ts'
import { type CheckedPrefix, EXAMPLE, PREFIX_PATTERN, prefixOf } from './prefix.ts'
import { Failure, type SafeResult } from './result.ts'
import { checkUuid, generatorOf } from './source.ts'
import {
  isUuid,
  readBytes,
  readSuffix,
  readUuid,
  SUFFIX_PATTERN,
  UUID_PATTERN,
  writeBytes,
  writeSuffix,
  writeTime,
  writeUuid,
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
  { uuid = uuidv7 }: IdOptions = {},
): IdType<P> {
  type Id = TypedId<P>
  type Short = ShortId<P>
  if (typeof prefix !== 'string' || prefixOf(prefix + EXAMPLE) !== prefix)
    throw new TypedIdError('invalid_prefix', PREFIX_PATTERN, prefix)

  const head = `${prefix}-`
  const shortHead = `${prefix}_`
  const next = generatorOf(uuid, head)

  const is = (value: unknown): value is Id => isUuid(value, head)
  const parse = (value: unknown): Id => (is(value) ? value : refuse(prefix, value, false))
  const safeParse = (value: unknown): SafeResult<Id> =>
    is(value) ? { success: true, data: value } : new Failure(parse, value)

  const written = () => (head + writeUuid()) as Id
  const expand = (short: unknown) => (readSuffix(short, shortHead) ? written() : undefined)
  const find = (value: unknown) => (is(value) ? value : expand(value))
  const parseAny = (value: unknown) => find(value) ?? refuse(prefix, value)

  /** Reads an id for the writer that is called next. */
  const read = (id: unknown) => readUuid(id, head) || refuse(prefix, id, false)

  return Object.freeze<IdType<P>>({
    prefix: prefix as P,
    pattern: `^${head}${UUID_PATTERN}$`,
    shortPattern: `^${shortHead}${SUFFIX_PATTERN}$`,
    example: (prefix + EXAMPLE) as Id,

    generate: () => next() as Id,
    generateMany: (count) => {
      if (typeof count !== 'number' || count >>> 0 !== count)
        throw new TypedIdError('invalid_count', 'a whole number below 2^32', count)
      const ids: Id[] = []
      while (ids.length < count) ids.push(next(ids.length > 0) as Id)
      return ids
    },

    is,
    parse,
    safeParse,

    isAny: (value): value is Id | Short => is(value) || readSuffix(value, shortHead),
    parseAny,
    safeParseAny: (value) => {
      const id = find(value)
      return id ? { success: true, data: id } : new Failure(parseAny, value)
    },

    toShort: (id) => read(id) && ((shortHead + writeSuffix()) as Short),
    fromShort: (short) => expand(short) ?? refuse(prefix, short, true),
    toUuid: (id) => parse(id).slice(head.length),
    fromUuid: (uuid) => (head + checkUuid(uuid)) as Id,
    toBytes: (id) => read(id) && writeBytes(),
    fromBytes: (bytes) => {
      if (readBytes(bytes)) return written()
      throw new TypedIdError('invalid_bytes', 'Uint8Array(16)', bytes)
    },
    timestamp: (id) => read(id) && writeTime(),

    '~standard': Object.freeze<StandardIdSchema<P>>({
      version: 1,
      vendor: 'typed-id',
      validate: (value) =>
        is(value) ? { value } : { issues: [{ message: new Failure(parse, value).error.message }] },
    }),
  })
}

import { Failure, type SafeResult, TypedIdError } from './error.ts'
import {
  bytesOfUuid,
  isPrefix,
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
import { type Generator, generatorOf, type UuidSource, uuidv7 } from './uuid.ts'

/** A standard id as a plain string that only the library can make: `user-0190163d-8694-739b-aea5-966c26f8ad91`. */
export type TypedId<P extends string> = `${P}-${string}` & { readonly '~typedId': P }

/** A short id: `user_01j0b3v1mmeedtx9cpdgkfhbch`. */
export type ShortId<P extends string> = `${P}_${string}`

/** The id type that a definition makes: `type UserId = IdOf<typeof UserId>`. */
export type IdOf<T extends { readonly prefix: string }> = TypedId<T['prefix']>

export interface IdOptions {
  /** Where new UUIDs come from; `uuidv7` by default. */
  uuid?: UuidSource
}

export interface GenerateOptions {
  /**
   * The time that the id shall tell, as a Date or in milliseconds since 1970. Such an id is random within its
   * millisecond and stands outside the increasing sequence.
   */
  at?: Date | number
}

/** Everything there is to do with the ids of one type. All functions can be passed around on their own. */
export interface IdType<P extends string> {
  readonly prefix: P
  /** Source of the regular expression for standard ids: anchored, to be used without flags. */
  readonly pattern: string
  /** Source of the regular expression for short ids: anchored, to be used without flags. */
  readonly shortPattern: string
  /** A fixed valid id, for documentation. */
  readonly example: TypedId<P>

  /**
   * Makes a new id, by default with a version 7 UUID, strictly greater than every one before it in this process.
   * @throws TypedIdError `invalid_time` when `at` is out of range or the source of this type has no notion of time;
   * `invalid_uuid` when a source of your own returns anything but a canonical lowercase UUID.
   * @example UserId.generate() // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
   */
  generate(this: void, options?: GenerateOptions): TypedId<P>
  /**
   * Makes `count` ids, as `generate` does but reading the clock once.
   * @throws TypedIdError `invalid_count` when `count` is not a whole number from 0 to 2^32 - 1.
   * @example UserId.generateMany(1000).length // 1000
   */
  generateMany(this: void, count: number): TypedId<P>[]

  /**
   * Returns the value as an id of this type; it must be in the standard form.
   * @throws TypedIdError `not_a_string`, `wrong_type` or `malformed_standard`.
   * @example UserId.parse('user-0190163d-8694-739b-aea5-966c26f8ad91')
   */
  parse(this: void, value: unknown): TypedId<P>
  /** Does what `parse` does, but returns `{ success, data }` or `{ success, error }` instead of throwing. */
  safeParse(this: void, value: unknown): SafeResult<TypedId<P>>
  /**
   * Returns the standard form of a value in either form.
   * @throws TypedIdError `not_a_string`, `wrong_type`, `malformed_standard` or `malformed_short`.
   * @example UserId.parseAny('user_01j0b3v1mmeedtx9cpdgkfhbch') // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
   */
  parseAny(this: void, value: unknown): TypedId<P>
  /** Does what `parseAny` does, but returns `{ success, data }` or `{ success, error }` instead of throwing. */
  safeParseAny(this: void, value: unknown): SafeResult<TypedId<P>>
  /** Tells whether the value is an id of this type in the standard form. */
  is(this: void, value: unknown): value is TypedId<P>

  /**
   * Returns the short form: prefix, `_` and 26 characters. For a lowercase prefix it is a TypeID (specification 0.3).
   * @throws TypedIdError as `parse` does.
   * @example UserId.toShort(id) // 'user_01j0b3v1mmeedtx9cpdgkfhbch'
   */
  toShort(this: void, id: TypedId<P>): ShortId<P>
  /**
   * Returns the id for a short form.
   * @throws TypedIdError `not_a_string`, `wrong_type` or `malformed_short`.
   * @example UserId.fromShort('user_01j0b3v1mmeedtx9cpdgkfhbch') // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
   */
  fromShort(this: void, short: string): TypedId<P>
  /**
   * Returns the bare UUID of an id.
   * @throws TypedIdError as `parse` does.
   * @example UserId.toUuid(id) // '0190163d-8694-739b-aea5-966c26f8ad91'
   */
  toUuid(this: void, id: TypedId<P>): string
  /**
   * Returns the id for a bare UUID of any version in canonical lowercase text.
   * @throws TypedIdError `not_a_string` or `invalid_uuid`.
   * @example UserId.fromUuid('0190163d-8694-739b-aea5-966c26f8ad91')
   */
  fromUuid(this: void, uuid: string): TypedId<P>
  /**
   * Returns the 16 bytes of an id, most significant first.
   * @throws TypedIdError as `parse` does.
   * @example UserId.toBytes(id) // Uint8Array(16) [1, 144, 22, 61, …]
   */
  toBytes(this: void, id: TypedId<P>): Uint8Array
  /**
   * Returns the id for 16 bytes.
   * @throws TypedIdError `invalid_bytes` when given anything but a Uint8Array of 16.
   * @example UserId.fromBytes(UserId.toBytes(id)) === id // true
   */
  fromBytes(this: void, bytes: Uint8Array): TypedId<P>
  /**
   * Returns the creation time in a version 7 id, exact to the millisecond, and undefined for any other version.
   * @throws TypedIdError as `parse` does.
   * @example UserId.timestamp(id)?.toISOString() // '2024-06-14T05:33:44.340Z'
   */
  timestamp(this: void, id: TypedId<P>): Date | undefined

  /** Standard Schema v1: what validator-agnostic libraries call. It accepts what `parse` accepts. */
  readonly '~standard': StandardIdSchema<P>
}

/** The Standard Schema v1 interface (standardschema.dev), as far as an id needs it. */
export interface StandardIdSchema<P extends string> {
  readonly version: 1
  readonly vendor: 'typed-id'
  readonly validate: (value: unknown) => StandardIdResult<P>
  readonly types?: { readonly input: string; readonly output: TypedId<P> } | undefined
}

export type StandardIdResult<P extends string> =
  | { readonly value: TypedId<P>; readonly issues?: undefined }
  | { readonly issues: readonly [{ readonly message: string }] }

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
    throw new TypedIdError('invalid_prefix', '1 to 63 letters and digits', prefix)
  }
  type Id = TypedId<P>

  const head = `${prefix}-`
  const shortHead = `${prefix}_`
  const start = head.length
  const standard = `${prefix}-<lowercase uuid>`
  const short = `${prefix}_<26 lowercase base32 characters>`
  const source = options.uuid ?? uuidv7
  const generator: Generator = generatorOf(source, head) ?? foreignGenerator(source, head)

  function generate(options?: GenerateOptions): Id {
    const at = options?.at
    return (at === undefined ? generator.next() : generator.at(Number(at))) as Id
  }

  function generateMany(count: number): Id[] {
    if (!Number.isInteger(count) || count < 0 || count >= 2 ** 32) {
      throw new TypedIdError('invalid_count', 'a whole number from 0 to 2^32 - 1', count)
    }
    return generator.many(count) as Id[]
  }

  function is(value: unknown): value is Id {
    return typeof value === 'string' && value.startsWith(head) && isUuid(value, start)
  }

  function parse(value: unknown): Id {
    if (is(value)) return value
    throw explain(value)
  }

  function safeParse(value: unknown): SafeResult<Id> {
    return is(value) ? { success: true, data: value } : new Failure(explain, value)
  }

  /** The standard form of a value in either form, or '' for anything else. */
  function standardOf(value: unknown): Id | '' {
    return is(value) ? value : idOfShort(value)
  }

  function parseAny(value: unknown): Id {
    const id = standardOf(value)
    if (id) return id
    throw explainAny(value)
  }

  function safeParseAny(value: unknown): SafeResult<Id> {
    const id = standardOf(value)
    return id ? { success: true, data: id } : new Failure(explainAny, value)
  }

  function toShort(id: Id): ShortId<P> {
    const suffix = typeof id === 'string' && id.startsWith(head) && suffixOfUuid(id, start)
    if (suffix) return (shortHead + suffix) as ShortId<P>
    throw explain(id)
  }

  function idOfShort(value: unknown): Id | '' {
    const uuid = typeof value === 'string' && value.startsWith(shortHead) && uuidOfSuffix(value, start)
    return uuid ? ((head + uuid) as Id) : ''
  }

  function fromShort(value: string): Id {
    const id = idOfShort(value)
    if (id) return id
    throw explainShort(value)
  }

  function toUuid(id: Id): string {
    return parse(id).slice(start)
  }

  function fromUuid(uuid: string): Id {
    if (typeof uuid === 'string' && isUuid(uuid, 0)) return (head + uuid) as Id
    throw invalidUuid(uuid)
  }

  function toBytes(id: Id): Uint8Array {
    const bytes = typeof id === 'string' && id.startsWith(head) && bytesOfUuid(id, start)
    if (bytes) return bytes
    throw explain(id)
  }

  function fromBytes(bytes: Uint8Array): Id {
    if (isSixteenBytes(bytes)) return (head + uuidOfBytes(bytes)) as Id
    throw new TypedIdError('invalid_bytes', 'a Uint8Array of 16', bytes)
  }

  function timestamp(id: Id): Date | undefined {
    const ms = timeOfUuid(parse(id), start)
    return ms < 0 ? undefined : new Date(ms)
  }

  function explain(value: unknown): TypedIdError {
    return explainText(value, standard) ?? new TypedIdError('malformed_standard', standard, value)
  }

  function explainShort(value: unknown): TypedIdError {
    return explainText(value, short) ?? new TypedIdError('malformed_short', short, value)
  }

  function explainAny(value: unknown): TypedIdError {
    return typeof value === 'string' && value.includes('_') ? explainShort(value) : explain(value)
  }

  /** Says why a value that has a good form, or no form at all, was refused. */
  function explainText(value: unknown, expected: string): TypedIdError | undefined {
    if (typeof value !== 'string') return new TypedIdError('not_a_string', expected, value)
    const other = expected === short ? shortPrefix(value) : standardPrefix(value)
    return other && other !== prefix ? new TypedIdError('wrong_type', prefix, value, other) : undefined
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
    toShort,
    fromShort,
    toUuid,
    fromUuid,
    toBytes,
    fromBytes,
    timestamp,
    '~standard': Object.freeze<StandardIdSchema<P>>({
      version: 1,
      vendor: 'typed-id',
      validate: (value) =>
        is(value) ? { value } : { issues: [{ message: new Failure(explain, value).error.message }] },
    }),
  })
}

/** The prefix of a well-formed standard id of any type, or ''. */
export function standardPrefix(text: string): string {
  const end = text.length - UUID_LENGTH - 1
  if (end > 63 || text.charAt(end) !== '-' || !isUuid(text, end + 1)) return ''
  const prefix = text.slice(0, end)
  return isPrefix(prefix) ? prefix : ''
}

/** The prefix of a well-formed short id of any type, or ''. */
export function shortPrefix(text: string): string {
  const end = text.length - SUFFIX_LENGTH - 1
  if (end > 63 || text.charAt(end) !== '_' || !isSuffix(text, end + 1)) return ''
  const prefix = text.slice(0, end)
  return isPrefix(prefix) ? prefix : ''
}

/** A source that is not ours is a stranger: each text it returns is checked. */
function foreignGenerator(source: UuidSource, head: string): Generator {
  const next = () => {
    const uuid: unknown = source()
    if (typeof uuid === 'string' && isUuid(uuid, 0)) return head + uuid
    throw invalidUuid(uuid)
  }
  return {
    next,
    many: (count) => Array.from({ length: count }, next),
    at: (ms) => {
      throw new TypedIdError('invalid_time', 'no time, since the uuid source of this type takes none', ms)
    },
  }
}

function invalidUuid(value: unknown): TypedIdError {
  const expected = '8-4-4-4-12 lowercase hexadecimal digits'
  return new TypedIdError(typeof value === 'string' ? 'invalid_uuid' : 'not_a_string', expected, value)
}

/** Holds for arrays of other realms, too, and for no proxy. */
function isSixteenBytes(value: unknown): value is Uint8Array {
  return (
    ArrayBuffer.isView(value) &&
    (value as Uint8Array)[Symbol.toStringTag] === 'Uint8Array' &&
    value.byteLength === 16
  )
}

type Alphanumeric =
  | '0'
  | '1'
  | '2'
  | '3'
  | '4'
  | '5'
  | '6'
  | '7'
  | '8'
  | '9'
  | 'a'
  | 'b'
  | 'c'
  | 'd'
  | 'e'
  | 'f'
  | 'g'
  | 'h'
  | 'i'
  | 'j'
  | 'k'
  | 'l'
  | 'm'
  | 'n'
  | 'o'
  | 'p'
  | 'q'
  | 'r'
  | 's'
  | 't'
  | 'u'
  | 'v'
  | 'w'
  | 'x'
  | 'y'
  | 'z'
  | 'A'
  | 'B'
  | 'C'
  | 'D'
  | 'E'
  | 'F'
  | 'G'
  | 'H'
  | 'I'
  | 'J'
  | 'K'
  | 'L'
  | 'M'
  | 'N'
  | 'O'
  | 'P'
  | 'Q'
  | 'R'
  | 'S'
  | 'T'
  | 'U'
  | 'V'
  | 'W'
  | 'X'
  | 'Y'
  | 'Z'

/** `true` when a literal has 1 to 63 letters and digits; `Read` counts them. */
type IsPrefix<Text extends string, Read extends unknown[] = []> = Text extends ''
  ? Read['length'] extends 0
    ? false
    : true
  : Read['length'] extends 63
    ? false
    : Text extends `${Alphanumeric}${infer Rest}`
      ? IsPrefix<Rest, [...Read, unknown]>
      : false

/** The prefix itself, or a sentence that the compiler prints; a `string` is left to the check at run time. */
export type CheckedPrefix<P extends string> = string extends P
  ? P
  : IsPrefix<P> extends true
    ? P
    : 'a prefix is 1 to 63 ASCII letters and digits'

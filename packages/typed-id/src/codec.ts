import { TypedIdError } from './core/error.ts'
import type { IdSource } from './registry.ts'

/**
 * How a column stores ids: the standard form as text, the bare UUID as text, or
 * the 16 bytes of the UUID.
 */
export type IdStorage = 'text' | 'uuid' | 'bytes'

/** The type of a stored id in JavaScript, as database drivers use it. */
export type StoredId<S extends IdStorage> = S extends 'bytes'
  ? Uint8Array
  : string

/** The members `null` and `undefined` of the union `T`. */
export type Missing<T> = unknown extends T
  ? null | undefined
  : Extract<T, null | undefined>

/**
 * The conversions of a column between ids and stored values. Each returns null
 * and undefined unchanged.
 */
export interface IdCodec<Id extends string, S extends IdStorage> {
  toDatabase<T extends Id | null | undefined>(
    this: void,
    id: T,
  ): StoredId<S> | Extract<T, null | undefined>
  fromDatabase<T>(this: void, value: T): Id | Missing<T>
}

export interface IdCodecOptions {
  /** Accepts UUIDs in upper case, as drivers of SQL Server return them. */
  upperCase?: boolean
}

/**
 * Returns the conversions between ids and the values that a column stores.
 * `column` is the name of the column in error messages.
 *
 * With a registry, the column stores ids of any of its types, as text. Bytes
 * are a Buffer if the runtime has Buffer, because MySQL's drivers require one.
 *
 * @throws TypedIdError from both conversions: `wrong_type`,
 * `malformed_standard`, `invalid_uuid`, `invalid_bytes` or `not_a_string`, with
 * the name of the column. TypeError for an unknown storage, and for a registry
 * with another storage than `text`.
 * @example
 * const { toDatabase, fromDatabase } = idCodec(UserId, 'uuid', 'users.id')
 * toDatabase(UserId.example) // '0190163d-8694-739b-aea5-966c26f8ad91'
 * fromDatabase('0190163d-8694-739b-aea5-966c26f8ad91') // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
 */
export function idCodec<Id extends string, S extends IdStorage>(
  type: IdSource<Id>,
  storage: S,
  column: string,
  { upperCase = false }: IdCodecOptions = {},
): IdCodec<Id, S> {
  const conversions = conversionsOf(type, upperCase)
  const pair = conversions[storage]
  if (!pair)
    throw new TypeError(
      `column ${column}: expected the storage ${Object.keys(conversions).join(' or ')}, received ${storage}`,
    )
  const [write, read] = pair

  const convert = (value: unknown, conversion: Conversion): never => {
    if (value === null || value === undefined) return value as never
    try {
      return conversion(value as never) as never
    } catch (error) {
      const { code, expected, received } = error as TypedIdError
      throw new TypedIdError(
        code,
        `${expected} in column ${column}`,
        value,
        /wrong_type|unknown_prefix/.test(code) ? received : '',
      )
    }
  }
  return {
    toDatabase: (id) => convert(id, write),
    fromDatabase: (value) => convert(value, read),
  }
}

type Conversion = (value: never) => unknown
type Conversions = Partial<
  Record<IdStorage, readonly [write: Conversion, read: Conversion]>
>

function conversionsOf(
  type: IdSource<string>,
  upperCase: boolean,
): Conversions {
  if ('types' in type) {
    const parse = (value: unknown) => type.parse(value).id
    return { text: [parse, parse] }
  }
  const { parse, toUuid, fromUuid, toBytes, fromBytes } = type
  return {
    text: [parse, parse],
    uuid: [
      toUuid,
      (uuid: string) =>
        fromUuid(
          upperCase && typeof uuid === 'string' ? uuid.toLowerCase() : uuid,
        ),
    ],
    bytes: [
      (id) => toBuffer(toBytes(id)),
      (bytes) => fromBytes(toArray(bytes)),
    ],
  }
}

/**
 * Accepts what drivers return for bytes: libSQL an ArrayBuffer, D1 an array of
 * numbers, and PostgreSQL the string `\x…` for a `bytea` in JSON.
 */
function toArray(value: unknown): Uint8Array {
  if (typeof value === 'string' && /^\\x[\da-f]{32}$/.test(value))
    return Uint8Array.from(value.match(/[\da-f]{2}/g) ?? [], (hex) =>
      Number(`0x${hex}`),
    )
  if (
    Object.prototype.toString.call(value) === '[object ArrayBuffer]' &&
    (value as ArrayBuffer).byteLength
  )
    return new Uint8Array(value as ArrayBuffer)
  const isByte = (item: unknown) =>
    Number.isInteger(item) && item === ((item as number) & 255)
  return Array.isArray(value) && [...value].every(isByte)
    ? Uint8Array.from(value)
    : (value as Uint8Array)
}

function toBuffer(bytes: Uint8Array): Uint8Array {
  const { Buffer } = globalThis as {
    Buffer?: { from(bytes: ArrayBufferLike): Uint8Array }
  }
  return Buffer?.from(bytes.buffer) ?? bytes
}

import { TypedIdError } from '../core/error.ts'
import { startOf } from '../core/grammar.ts'
import { codeOfString, invalidId } from '../core/invalid.ts'
import { defineTypeId } from './define.ts'
import { checkPrefix, describeTypeId, invalidTypeId, split } from './grammar.ts'
import type { TypeId } from './types.ts'

/*
 * The names of typeid-js 1.2.0 (https://www.npmjs.com/package/typeid-js), so a
 * migration only has to change imports. The functions differ on purpose:
 *
 * - They throw TypedIdError. typeid-js exports no class of its errors.
 * - They accept every suffix of the specification. typeid-js throws for a UUID
 *   without version and variant.
 * - They reject invalid values, for which typeid-js returns a wrong string.
 * - `fromString(text, '')` expects a TypeID without a prefix. typeid-js accepts
 *   any prefix.
 */

const Suffix = /* @__PURE__ */ defineTypeId('')

/**
 * Returns the TypeID of a prefix and a suffix, or without a suffix a new
 * TypeID.
 *
 * @throws TypedIdError `invalid_prefix`, `not_a_string` or `malformed_short`.
 * @example
 * typeidUnboxed('user') // 'user_01j0b3v1mmeedtx9cpdgkfhbch'
 */
export function typeidUnboxed<T extends string = ''>(
  prefix: T = '' as T,
  suffix = '',
): TypeId<T> {
  checkPrefix(prefix)
  if (suffix === '') return join(prefix, Suffix.generate())
  if (Suffix.is(suffix)) return join(prefix, suffix)
  throw new TypedIdError(
    codeOfString('malformed_short', suffix),
    describeTypeId(''),
    suffix,
  )
}

/**
 * Returns the string if it is a TypeID whose prefix equals `prefix`. Without
 * `prefix`, accepts every TypeID.
 *
 * @throws TypedIdError `not_a_string`, `wrong_type` or `malformed_short`.
 * @example
 * fromString('user_01j0b3v1mmeedtx9cpdgkfhbch', 'user')
 */
export function fromString<T extends string>(
  typeId: string,
  prefix?: T,
): TypeId<T> {
  const found = split(typeId)
  if (found && (prefix === undefined || found.prefix === prefix))
    return typeId as TypeId<T>
  throw prefix === undefined
    ? invalidId(typeId, true)
    : invalidTypeId(prefix, typeId)
}

/**
 * Returns the prefix and the suffix of a TypeID.
 *
 * @throws TypedIdError `not_a_string` or `malformed_short`.
 * @example
 * parseTypeId(id) // { prefix: 'user', suffix: '01j0b3v1mmeedtx9cpdgkfhbch' }
 */
export function parseTypeId<T extends string>(
  typeId: TypeId<T>,
): { prefix: T; suffix: string } {
  const found = split(typeId)
  if (found) return found as { prefix: T; suffix: string }
  throw invalidId(typeId, true)
}

/** Returns the prefix. Throws as `parseTypeId` does. */
export function getType<T extends string>(typeId: TypeId<T>): T {
  return parseTypeId(typeId).prefix
}

/** Returns the suffix. Throws as `parseTypeId` does. */
export function getSuffix<T extends string>(typeId: TypeId<T>): string {
  return parseTypeId(typeId).suffix
}

/** Returns the UUID. Throws as `parseTypeId` does. */
export function toUUID<T extends string>(typeId: TypeId<T>): string {
  return Suffix.toUuid(getSuffix(typeId) as TypeId<''>)
}

/** Returns the 16 bytes. Throws as `parseTypeId` does. */
export function toUUIDBytes<T extends string>(typeId: TypeId<T>): Uint8Array {
  return Suffix.toBytes(getSuffix(typeId) as TypeId<''>)
}

/**
 * Returns the TypeID for a UUID in upper or lower case.
 *
 * @throws TypedIdError `invalid_prefix`, `not_a_string` or `invalid_uuid`.
 */
export function fromUUID<T extends string = ''>(
  uuid: string,
  prefix: T = '' as T,
): TypeId<T> {
  return join(
    checkPrefix(prefix),
    Suffix.fromUuid(typeof uuid === 'string' ? uuid.toLowerCase() : uuid),
  )
}

/**
 * Returns the TypeID for the 16 bytes of a UUID.
 *
 * @throws TypedIdError `invalid_prefix` or `invalid_bytes`.
 */
export function fromUUIDBytes<T extends string>(
  prefix: T,
  bytes: Uint8Array,
): TypeId<T> {
  return join(checkPrefix(prefix), Suffix.fromBytes(bytes))
}

function join<T extends string>(prefix: T, suffix: string): TypeId<T> {
  return (startOf(prefix) + suffix) as TypeId<T>
}

// Methods call `typeid` instead of `new TypeID`: esbuild renames a class that
// mentions itself, so that logs would contain `_TypeID`.
/**
 * A TypeID as an object. Its methods throw as the functions of the same names.
 */
export class TypeID<const T extends string> {
  private readonly prefix: T
  private readonly suffix: string

  constructor(prefix: T, suffix = '') {
    const { suffix: found } = parseTypeId(typeidUnboxed(prefix, suffix))
    this.prefix = prefix
    this.suffix = found
  }

  getType(): T {
    return this.prefix
  }

  getSuffix(): string {
    return this.suffix
  }

  /**
   * Returns this TypeID, if it has the given prefix.
   * @throws TypedIdError `wrong_type`.
   */
  asType<const U extends string>(prefix: U): TypeID<U> {
    if ((this.prefix as string) === prefix) return this as unknown as TypeID<U>
    throw invalidTypeId(prefix, this.toString())
  }

  toUUIDBytes(): Uint8Array {
    return toUUIDBytes(this.toString())
  }

  toUUID(): string {
    return toUUID(this.toString())
  }

  toString(): TypeId<T> {
    return join(this.prefix, this.suffix)
  }

  static fromString<const T extends string>(
    str: string,
    prefix?: T,
  ): TypeID<T> {
    const found = parseTypeId(fromString(str, prefix))
    return typeid(found.prefix, found.suffix)
  }

  static fromUUIDBytes<const T extends string>(
    prefix: T,
    bytes: Uint8Array,
  ): TypeID<T> {
    return typeid(prefix, fromUUIDBytes('', bytes))
  }

  static fromUUID<const T extends string>(prefix: T, uuid: string): TypeID<T> {
    return typeid(prefix, fromUUID(uuid))
  }
}

/** Like `typeidUnboxed`, but returns an object. */
export function typeid<T extends string = ''>(
  prefix: T = '' as T,
  suffix = '',
): TypeID<T> {
  return new TypeID(prefix, suffix)
}

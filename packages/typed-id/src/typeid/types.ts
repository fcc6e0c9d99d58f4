import type { SafeResult, TypedIdError } from '../core/error.ts'

/**
 * A TypeID, such as `user_01j0b3v1mmeedtx9cpdgkfhbch`: a plain string with a brand, so only the library's functions
 * return one. For a prefix that `defineId` accepts, it is the same type as `ShortId`.
 */
export type TypeId<P extends string> = TypeIdText<P> & { readonly '~shortId': readonly [P, never] }

type TypeIdText<P extends string> = string extends P ? string : P extends '' ? string : `${P}_${string}`

/** The type of the TypeIDs of a definition: `type UserId = TypeIdOf<typeof UserId>`. */
export type TypeIdOf<T extends { readonly prefix: string }> = TypeId<T['prefix']>

/**
 * The functions for the TypeIDs of one type. They can be passed as callbacks: none of them uses `this`. `Id` follows
 * from `P`. It is a type parameter because otherwise `TypeIdType<'user'>` is not assignable to `TypeIdType<string>`.
 */
export interface TypeIdType<P extends string, Id extends string = TypeId<P>> {
  readonly prefix: P
  /** Source of an anchored regular expression for the TypeIDs of this type. Use it without flags. */
  readonly pattern: string
  /** A valid TypeID for documentation. Its UUID is the same for every type. */
  readonly example: Id

  /**
   * Returns a new TypeID. By default its UUID is the next one of the sequence that all id types of the process share.
   * @throws TypedIdError `invalid_uuid` or `not_a_string` when a custom source returns anything but a canonical lowercase
   * UUID.
   * @example UserId.generate() // 'user_01j0b3v1mmeedtx9cpdgkfhbch'
   */
  generate(this: void): Id
  /**
   * Returns `count` new TypeIDs, like `generate`, but reads the clock only once.
   * @throws TypedIdError `invalid_count` when `count` is not a whole number below 2^32.
   * @example UserId.generateMany(1000).length // 1000
   */
  generateMany(this: void, count: number): Id[]

  /**
   * Returns the value as a TypeID of this type.
   * @throws TypedIdError `not_a_string`, `wrong_type` or `malformed_short`.
   * @example UserId.parse('user_01j0b3v1mmeedtx9cpdgkfhbch')
   */
  parse(this: void, value: unknown): Id
  /** Like `parse`, but returns `{ success, data }` or `{ success, error }` instead of throwing. */
  safeParse(this: void, value: unknown): SafeResult<Id>
  /** Returns whether the value is a TypeID of this type. */
  is(this: void, value: unknown): value is Id

  /**
   * Returns the UUID of a TypeID.
   * @throws TypedIdError as `parse` does.
   * @example UserId.toUuid(id) // '0190163d-8694-739b-aea5-966c26f8ad91'
   */
  toUuid(this: void, id: Id): string
  /**
   * Returns the TypeID for a UUID of any version in canonical lowercase text.
   * @throws TypedIdError `not_a_string` or `invalid_uuid`.
   * @example UserId.fromUuid('0190163d-8694-739b-aea5-966c26f8ad91') // 'user_01j0b3v1mmeedtx9cpdgkfhbch'
   */
  fromUuid(this: void, uuid: string): Id
  /**
   * Returns the 16 bytes of a TypeID, most significant first.
   * @throws TypedIdError as `parse` does.
   * @example UserId.toBytes(id) // Uint8Array(16) [1, 144, 22, 61, …]
   */
  toBytes(this: void, id: Id): Uint8Array
  /**
   * Returns the TypeID for 16 bytes.
   * @throws TypedIdError `invalid_bytes` for anything but a Uint8Array of 16 bytes.
   * @example UserId.fromBytes(UserId.toBytes(id)) === id // true
   */
  fromBytes(this: void, bytes: Uint8Array): Id
  /**
   * Returns the creation time of a version 7 UUID, with millisecond precision, or undefined for any other version.
   * @throws TypedIdError as `parse` does.
   * @example UserId.timestamp(id)?.toISOString() // '2024-06-14T10:14:09.300Z'
   */
  timestamp(this: void, id: Id): Date | undefined

  /** The Standard Schema v1 interface, for libraries that accept any validator. It accepts the same values as `parse`. */
  readonly '~standard': StandardTypeIdSchema<Id>
}

/** The part of the Standard Schema v1 interface (standardschema.dev) that the type of a TypeID implements. */
export interface StandardTypeIdSchema<Id extends string> {
  readonly version: 1
  readonly vendor: 'typed-id'
  readonly validate: (
    value: unknown,
  ) => { readonly value: Id; readonly issues?: undefined } | { readonly issues: readonly [TypedIdError] }
  readonly types?: { readonly input: string; readonly output: Id } | undefined
}

// biome-ignore format: one line
type PrefixCharacter =
  | 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm' | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't'
  | 'u' | 'v' | 'w' | 'x' | 'y' | 'z' | '_'

/** `true` for at most 63 letters and underscores. `Read` has one element for each character already checked. */
type IsWord<Text extends string, Read extends unknown[] = []> = Text extends `${infer First}${infer Rest}`
  ? First extends PrefixCharacter
    ? Read['length'] extends 63
      ? false
      : IsWord<Rest, [...Read, unknown]>
    : false
  : true

/**
 * The type of a valid prefix of a TypeID. An invalid literal becomes a sentence, which the compiler prints in its error.
 * The type `string` passes and is checked at run time.
 */
export type CheckedTypeIdPrefix<P extends string> = string extends P
  ? P
  : P extends `_${string}` | `${string}_`
    ? PrefixRule
    : IsWord<P> extends true
      ? P
      : PrefixRule

type PrefixRule =
  'the prefix of a TypeID is 0 to 63 letters a-z and underscores, the first and the last a letter'

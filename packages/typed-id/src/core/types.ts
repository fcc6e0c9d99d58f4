import type { SafeResult, TypedIdErrorCode } from './error.ts'
import type { UuidSource } from './uuid-source.ts'

// Some tools print the docstring of `TypedId` or `ShortId` at each property
// that has this type, so both docstrings are short.
//
// Without `string &` and `@vue-ignore`, Vue's `defineProps` would accept an
// object as an id. The comments with `@vue-ignore` start with `/**`, because
// declaration files drop other comments.

/** A typed id, such as `user-0190163d-8694-739b-aea5-966c26f8ad91`. */
export type TypedId<P extends string> = string &
  /** @vue-ignore, so that Vue treats ids as strings */ UseParse<P> &
  `${P}-${string}`

/** An id in the short form, such as `user_01j0b3v1mmeedtx9cpdgkfhbch`. */
export type ShortId<P extends string> = string &
  /** @vue-ignore, so that Vue treats ids as strings */ UseParseShort<P> &
  ShortText<P>

/**
 * The brand of ids. For a string that is passed as an id, the compiler prints
 * the name `UseParse` in its error message, as a hint to call `parse`.
 *
 * The brand contains only methods that all strings have. With any other
 * property, the compiler would reject a comparison of an id with a string
 * literal (TS2367).
 */
export interface UseParse<P extends string> {
  toString(): `${P}-${string}`
  valueOf(): Brand.standard
}

/**
 * The brand of short ids and TypeIDs. For a TypeID without a prefix, the brand
 * requires a first digit from 0 to 7. So the compiler rejects a TypeID with a
 * prefix, which starts with a letter.
 */
export interface UseParseShort<P extends string> {
  toString(): P extends ''
    ? `${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7}${string}`
    : ShortText<P>
  valueOf(): Brand.short
}

type ShortText<P extends string> = string extends P
  ? string
  : P extends ''
    ? string
    : `${P}_${string}`

/** Makes a standard id and a short id different types. */
export declare enum Brand {
  standard = 'standard id',
  short = 'short id',
}

/** The type of the ids of a definition: `type UserId = IdOf<typeof UserId>`. */
export type IdOf<T extends { readonly example: string }> = T['example']

export interface IdOptions {
  /** The source of new UUIDs. Default: `uuidv7`. */
  uuid?: UuidSource
}

/**
 * The functions of a type that `defineId` or `defineTypeId` returns. No
 * function uses `this`, so each function can be passed as a callback.
 */
export interface IdDefinition<P extends string, Id extends string> {
  readonly prefix: P
  /**
   * The source of an anchored regular expression for the ids, to use without
   * flags.
   */
  readonly pattern: string
  /** A valid id for documentation. Its UUID is the same for every type. */
  readonly example: Id

  /**
   * Returns a new id. By default, the UUID of the id is of version 7 and
   * greater than all previous UUIDs of this copy of the package in this
   * process.
   * @throws TypedIdError `invalid_uuid` or `not_a_string` when a custom source
   * returns anything but a lowercase UUID.
   * @example UserId.generate() // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
   */
  generate(this: void): Id
  /**
   * Returns `count` new ids, like `generate`, but reads the clock only once.
   * @throws TypedIdError `invalid_count` when `count` is not a whole number
   * below 2^32.
   * @example UserId.generateMany(1000).length // 1000
   */
  generateMany(this: void, count: number): Id[]

  /**
   * Returns the value if it is an id of this type: a standard id or, for
   * `defineTypeId`, a TypeID.
   * @throws TypedIdError `not_a_string`, `wrong_type`, or `malformed_standard`
   * (`malformed_short` for a TypeID).
   * @example UserId.parse('user-0190163d-8694-739b-aea5-966c26f8ad91')
   */
  parse(this: void, value: unknown): Id
  /** Like `parse`, but returns a result instead of throwing. */
  safeParse(this: void, value: unknown): SafeResult<Id>
  /**
   * Returns whether the value is an id that `parse` accepts.
   *
   * If the compiler does not know the prefix, as for `IdType<string>`, use `is`
   * of a registry instead: where `is` of the type returns false, the compiler
   * would conclude that the value is not an id of any type.
   */
  readonly is: IdGuard<P, Id>

  /**
   * Returns the bare UUID of an id.
   * @throws TypedIdError as `parse` does.
   * @example UserId.toUuid(id) // '0190163d-8694-739b-aea5-966c26f8ad91'
   */
  toUuid(this: void, id: Id): string
  /**
   * Returns the id for a bare lowercase UUID.
   * @throws TypedIdError `not_a_string` or `invalid_uuid`.
   * @example UserId.fromUuid('0190163d-8694-739b-aea5-966c26f8ad91')
   */
  fromUuid(this: void, uuid: string): Id
  /**
   * Returns the 16 bytes of an id, most significant first.
   * @throws TypedIdError as `parse` does.
   * @example UserId.toBytes(id) // Uint8Array(16) [1, 144, 22, 61, …]
   */
  toBytes(this: void, id: Id): Uint8Array
  /**
   * Returns the id for 16 bytes.
   * @throws TypedIdError `invalid_bytes` for anything but a Uint8Array of 16
   * bytes.
   * @example UserId.fromBytes(UserId.toBytes(id)) === id // true
   */
  fromBytes(this: void, bytes: Uint8Array): Id
  /**
   * Returns the creation time of a version 7 id, or undefined for any other
   * version.
   * @throws TypedIdError as `parse` does.
   * @example UserId.timestamp(id)?.toISOString() // '2024-06-14T10:14:09.300Z'
   */
  timestamp(this: void, id: Id): Date | undefined
  /**
   * Returns the version of the UUID, or undefined if it does not have the
   * variant of RFC 9562.
   * @throws TypedIdError as `parse` does.
   * @example UserId.version(id) // 7
   */
  version(this: void, id: Id): number | undefined

  /** The Standard Schema v1 interface, which accepts what `parse` accepts. */
  readonly '~standard': StandardIdSchema<Id>
}

/**
 * The type of `is`. In a branch where `is` returned true, an id of another type
 * narrows to never, and any other value to `Id`.
 *
 * An interface, because the compiler caches the comparison of two interfaces,
 * but not of two function types.
 */
export interface IdGuard<P extends string, Id extends string> {
  <T extends { valueOf(): Brand }>(
    this: void,
    value: OtherId<T, P, Id>,
  ): value is never
  (this: void, value: unknown): value is Id
}

/** `T` if no id of the type `T` can have the prefix `P`, otherwise never. */
export type OtherId<T, P extends string, Id> = 0 extends 1 & T
  ? never // because T is any
  : [IdsOf<T, P, Id>] extends [never]
    ? T
    : never

type IdsOf<T, P extends string, Id> = T extends `${P}-${string}` | ShortText<P>
  ? T
  : [Id] extends [T]
    ? T
    : never

/** An id type of `defineId`, whose ids have a standard and a short form. */
export interface IdType<P extends string> extends IdDefinition<P, TypedId<P>> {
  readonly shortPattern: string
  /**
   * Returns the standard form of a value in either form.
   * @throws TypedIdError `not_a_string`, `wrong_type`, `malformed_standard` or
   * `malformed_short`.
   * @example UserId.parseEitherForm('user_01j0b3v1mmeedtx9cpdgkfhbch') // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
   */
  parseEitherForm(this: void, value: unknown): TypedId<P>
  safeParseEitherForm(this: void, value: unknown): SafeResult<TypedId<P>>
  readonly isEitherForm: IdGuard<P, TypedId<P> | ShortId<P>>
  /**
   * Returns the short form, which is a TypeID (specification 0.3) if the prefix
   * has only lowercase letters.
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
}

/** The part of Standard Schema v1 (standardschema.dev) that id types have. */
export interface StandardIdSchema<Id extends string> {
  readonly version: 1
  readonly vendor: 'typed-id'
  readonly validate: (value: unknown) => StandardIdResult<Id>
  readonly types?: { readonly input: Id; readonly output: Id } | undefined
}

export type StandardIdResult<Id extends string> =
  | { readonly value: Id; readonly issues?: undefined }
  | { readonly issues: readonly [StandardIdIssue] }

/** The fields of a `TypedIdError` as a plain object. */
export interface StandardIdIssue {
  readonly message: string
  readonly code: TypedIdErrorCode
  readonly expected: string
  readonly received: string
}

export type CharactersOf<
  Text extends string,
  Found = never,
> = Text extends `${infer First}${infer Rest}`
  ? CharactersOf<Rest, Found | First>
  : Found

type Alphanumeric =
  CharactersOf<'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'>

/**
 * `true` if a literal type consists of at most 63 of the characters `Allowed`.
 * Infers each character before comparing it with `Allowed`, because
 * `${Allowed}${infer Rest}` would cost the compiler 9 times as many
 * instantiations.
 */
export type IsWord<
  Text extends string,
  Allowed,
  Read extends unknown[] = [],
> = Text extends `${infer First}${infer Rest}`
  ? First extends Allowed
    ? Read['length'] extends 63
      ? false
      : IsWord<Rest, Allowed, [...Read, unknown]>
    : false
  : true

/**
 * `P` if it is a valid prefix, otherwise an error message, which the compiler
 * prints. A prefix of the type `string` is checked at run time.
 */
export type CheckedPrefix<P extends string> = string extends P
  ? P
  : P extends ''
    ? PrefixRule
    : IsWord<P, Alphanumeric> extends true
      ? P
      : PrefixRule

type PrefixRule = 'a prefix is 1 to 63 ASCII letters and digits'

import { type AnyIdType, hasTwoForms } from './core/any-id.ts'
import { isUuid, readSuffix } from './core/conversions.ts'
import { createFailure, type SafeResult, TypedIdError } from './core/error.ts'
import {
  SUFFIX_LENGTH,
  TYPEID_PREFIX_PATTERN,
  UUID_LENGTH,
} from './core/grammar.ts'
import { checkPrefix, explainInvalid, invalidId } from './core/invalid.ts'
import { createStandardSchema } from './core/standard-schema.ts'
import type { IdOf, IdType, StandardIdSchema } from './core/types.ts'

/**
 * An id with the prefix of its type: `{ type: 'user', id: TypedId<'user'> } | {
 * type: 'team', … }`.
 */
export type TaggedId<T extends AnyIdType> = T extends unknown
  ? { readonly type: T['prefix']; readonly id: IdOf<T> }
  : never

/**
 * The functions for the ids of several types. `Old` is the type of ids whose
 * prefix is an alias: `string`, or never without aliases.
 */
export interface IdRegistry<T extends AnyIdType, Old extends string = never> {
  readonly types: readonly T[]
  /** The id type for each alias, a prefix that the type had before a rename. */
  readonly aliases: Readonly<Record<string, T>>
  /**
   * Returns the id and its type if the value is an id of one of the types.
   * @throws TypedIdError `not_a_string`, `unknown_prefix`, `malformed_standard`
   * or `malformed_short`.
   * @example ids.parse('team-0190163d-8694-739b-aea5-966c26f8ad91') // { type: 'team', id: 'team-0190163d-…' }
   */
  parse(this: void, value: unknown): TaggedId<T>
  safeParse(this: void, value: unknown): SafeResult<TaggedId<T>>
  /** Like `parse`, but also accepts short ids. Returns the standard form. */
  parseEitherForm(this: void, value: unknown): TaggedId<T>
  safeParseEitherForm(this: void, value: unknown): SafeResult<TaggedId<T>>
  /**
   * Returns whether the value is an id that `parse` accepts. With aliases,
   * narrows the value only to `string`, because its prefix may be an alias.
   */
  is(this: void, value: unknown): value is IdOf<T> | Old
  isEitherForm(this: void, value: unknown): boolean
  /**
   * Returns a new id of the type with this prefix.
   * @throws TypedIdError `unknown_prefix`.
   * @example ids.generate('user') // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
   */
  generate<P extends T['prefix']>(
    this: void,
    type: P,
  ): IdOf<Extract<T, { readonly prefix: P }>>
  /** Standard Schema v1. Like `parse`, but returns the id without the type. */
  readonly '~standard': StandardIdSchema<IdOf<T>>
}

/** An id type or a registry, for a column with ids of the type `Id`. */
export type IdSource<Id extends string> = (
  | AnyIdType
  | IdRegistry<AnyIdType, string>
) & { readonly '~standard': StandardIdSchema<Id> }

export interface RegistryOptions<T extends AnyIdType> {
  /**
   * Earlier prefixes of renamed types. With `{ account: UserId }`, the
   * functions of the registry accept ids with the prefix `account`, and return
   * ids with the prefix `user`.
   */
  aliases?: Readonly<Record<string, T>>
}

/**
 * Returns a registry of several id types, which finds the type of an id by the
 * prefix.
 *
 * @throws TypedIdError `duplicate_prefix` when two types or aliases have the
 * same prefix; `invalid_prefix` for an alias that cannot be a prefix of its
 * type; `unknown_prefix` for an alias of a type that is not in the list.
 * @example
 * const ids = idRegistry([UserId, TeamId], { aliases: { account: UserId } })
 * ids.parse('account-0190163d-8694-739b-aea5-966c26f8ad91').type // 'user'
 */
export function idRegistry<T extends AnyIdType>(
  types: readonly T[],
): IdRegistry<T>
export function idRegistry<T extends AnyIdType>(
  types: readonly T[],
  options: RegistryOptions<NoInfer<T>>,
): IdRegistry<T, string>
export function idRegistry<T extends AnyIdType>(
  types: readonly T[],
  { aliases = {} }: RegistryOptions<NoInfer<T>> = {},
): IdRegistry<T, string> {
  const byPrefix = new Map(types.map((type) => [type.prefix, type]))
  const known = listPrefixes([...byPrefix.keys()])
  const entries = new Map<string, Entry<T>>()
  for (const type of types)
    for (const entry of entriesOf(type)) addUnique(entries, entry.start, entry)
  for (const [alias, type] of Object.entries(aliases)) {
    if (byPrefix.get(type.prefix) !== type)
      throw new TypedIdError('unknown_prefix', known, type.prefix)
    if (hasTwoForms(type)) checkPrefix(alias)
    else if (!TYPEID_PREFIX.test(alias))
      throw new TypedIdError('invalid_prefix', 'the prefix of a TypeID', alias)
    for (const entry of entriesOf(type))
      addUnique(
        entries,
        alias + (entry.start.slice(type.prefix.length) || '_'),
        entry,
      )
  }

  function find(value: unknown, eitherForm: boolean): TaggedId<T> | undefined {
    const [start, rest] = split(value)
    const entry = entries.get(start)
    if (!entry || (entry.isShort && !eitherForm)) return undefined
    const { type } = entry
    const text = entry.start + rest
    const id = entry.isShort
      ? (type as IdType<string> & T).safeParseEitherForm(text)
      : type.safeParse(text)
    return id.success
      ? ({ type: type.prefix, id: id.data } as TaggedId<T>)
      : undefined
  }

  function errorFor(value: unknown, eitherForm: boolean): TypedIdError {
    const [start, rest] = split(value)
    const { type } = entries.get(start) ?? {}
    if (type)
      return new TypedIdError(
        ...explainInvalid(
          type.prefix,
          value,
          !hasTwoForms(type) || (eitherForm ? undefined : false),
        ),
      )
    return /^\w{1,63}[-_]$/.test(start) &&
      (isUuid(rest, '') || readSuffix(rest, ''))
      ? new TypedIdError('unknown_prefix', known, value, start.slice(0, -1))
      : invalidId(value)
  }

  const parse = (eitherForm: boolean) => (value: unknown) => {
    const found = find(value, eitherForm)
    if (found) return found
    throw errorFor(value, eitherForm)
  }
  const safeParse =
    (eitherForm: boolean) =>
    (value: unknown): SafeResult<TaggedId<T>> => {
      const data = find(value, eitherForm)
      return data
        ? { success: true, data }
        : createFailure(() => errorFor(value, eitherForm))
    }
  const is = (eitherForm: boolean) => (value: unknown) =>
    find(value, eitherForm) !== undefined

  return Object.freeze<IdRegistry<T, string>>({
    types: Object.freeze([...types]),
    aliases: Object.freeze({ ...aliases }),
    parse: parse(false),
    safeParse: safeParse(false),
    parseEitherForm: parse(true),
    safeParseEitherForm: safeParse(true),
    is: is(false) as IdRegistry<T, string>['is'],
    isEitherForm: is(true),
    generate(prefix) {
      const found = byPrefix.get(prefix)
      if (found) return found.generate() as never
      throw new TypedIdError('unknown_prefix', known, prefix)
    },
    '~standard': createStandardSchema((value) => {
      const { data, error } = safeParse(false)(value)
      return { data: data?.id as IdOf<T>, error }
    }),
  })
}

const TYPEID_PREFIX = /* @__PURE__ */ new RegExp(`^${TYPEID_PREFIX_PATTERN}$`)

interface Entry<T> {
  readonly type: T
  readonly start: string
  readonly isShort: boolean
}

function entriesOf<T extends AnyIdType>(type: T): Entry<T>[] {
  const entry = { type, start: split(type.example)[0], isShort: false }
  return hasTwoForms(type)
    ? [entry, { ...entry, start: `${type.prefix}_`, isShort: true }]
    : [entry]
}

function split(value: unknown): [start: string, rest: string] {
  if (typeof value !== 'string') return ['?', '']
  const at = value.length - UUID_LENGTH
  const length =
    value[at - 1] === '-' ? at : Math.max(value.length - SUFFIX_LENGTH, 0)
  return [value.slice(0, length), value.slice(length)]
}

function addUnique<T>(
  entries: Map<string, Entry<T>>,
  start: string,
  entry: Entry<T>,
): void {
  if (entries.has(start))
    throw new TypedIdError(
      'duplicate_prefix',
      'one type per prefix',
      start.slice(0, -1),
    )
  entries.set(start, entry)
}

function listPrefixes(prefixes: readonly string[]): string {
  if (prefixes.length === 0) return 'a registered type (there is none)'
  const more = prefixes.length > 8 ? ` or ${prefixes.length - 8} more` : ''
  return prefixes.slice(0, 8).join(', ') + more
}

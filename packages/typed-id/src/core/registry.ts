import { createFailure, type SafeResult, TypedIdError } from './error.ts'
import { parsePrefix } from './grammar.ts'
import { checkPrefix, explainInvalid } from './invalid.ts'
import type { IdType, TypedId } from './types.ts'

/** An id with the prefix of its type: `{ type: 'user', id: TypedId<'user'> } | { type: 'team', … }`. */
export type TaggedId<P extends string> = P extends string
  ? { readonly type: P; readonly id: TypedId<P> }
  : never

/** The union of the ids of several types: `TypedId<'user'> | TypedId<'team'>`. */
type AnyId<P extends string> = P extends string ? TypedId<P> : never

export interface IdRegistry<P extends string> {
  /** The id types, in the order passed to `idRegistry`. */
  readonly types: readonly IdType<P>[]
  /**
   * Returns the type and the standard form of an id in either form.
   * @throws TypedIdError `not_a_string`, `unknown_prefix`, `malformed_standard` or `malformed_short`.
   * @example ids.parse('team_01j0b3v1mmeedtx9cpdgkfhbch') // { type: 'team', id: 'team-0190163d-…' }
   */
  parse(this: void, value: unknown): TaggedId<P>
  /** Like `parse`, but returns `{ success, data }` or `{ success, error }` instead of throwing. */
  safeParse(this: void, value: unknown): SafeResult<TaggedId<P>>
  /** Returns whether the value is a standard id of one of the types. */
  is(this: void, value: unknown): value is AnyId<P>
  /**
   * Returns a new id of the type with this prefix.
   * @throws TypedIdError `unknown_prefix`.
   * @example ids.generate('user') // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
   */
  generate<T extends P>(this: void, type: T): AnyId<T>
}

export interface RegistryOptions<P extends string> {
  /**
   * Earlier prefixes of renamed types: `{ account: UserId }`. `parse` and `safeParse` accept ids with such a prefix and
   * return them with the current one. `is` and `generate` accept the current prefixes only.
   */
  aliases?: Readonly<Record<string, IdType<P>>>
}

/**
 * Returns a registry of several id types. It finds the type of an id by the prefix.
 *
 * @throws TypedIdError `duplicate_prefix` when two types or aliases have the same prefix; `invalid_prefix` for an alias
 * that is not a prefix; `unknown_prefix` for an alias of a type that is not in the list.
 * @example
 * const ids = idRegistry([UserId, TeamId], { aliases: { account: UserId } })
 * const { type, id } = ids.parse(input)
 */
export function idRegistry<const P extends string>(
  types: readonly IdType<P>[],
  { aliases = {} }: RegistryOptions<NoInfer<P>> = {},
): IdRegistry<P> {
  const byPrefix = new Map<string, IdType<P>>()
  for (const type of types) addUnique(byPrefix, type.prefix, type)
  const known = listPrefixes([...byPrefix.keys()])

  const byPrefixOrAlias = new Map<string, IdType<P>>(byPrefix)
  for (const [alias, type] of Object.entries(aliases)) {
    if (byPrefix.get(type.prefix) !== type) throw new TypedIdError('unknown_prefix', known, type.prefix)
    addUnique(byPrefixOrAlias, checkPrefix(alias), type)
  }

  function find(value: unknown): TaggedId<P> | undefined {
    const prefix = parsePrefix(value) ?? ''
    const type = byPrefixOrAlias.get(prefix)
    if (!type) return undefined
    const id = type.parseEitherForm(type.prefix + (value as string).slice(prefix.length))
    return { type: type.prefix, id } as TaggedId<P>
  }

  function errorFor(value: unknown): TypedIdError {
    const prefix = parsePrefix(value)
    return prefix === undefined
      ? new TypedIdError(...explainInvalid('<prefix>', value))
      : new TypedIdError('unknown_prefix', known, value, prefix)
  }

  return Object.freeze<IdRegistry<P>>({
    types: Object.freeze([...types]),
    parse(value) {
      const found = find(value)
      if (found) return found
      throw errorFor(value)
    },
    safeParse(value) {
      const found = find(value)
      return found ? { success: true, data: found } : createFailure(() => errorFor(value))
    },
    is(value): value is AnyId<P> {
      return byPrefix.get(parsePrefix(value) ?? '')?.is(value) ?? false
    },
    generate<T extends P>(type: T) {
      const found = byPrefix.get(type)
      if (!found) throw new TypedIdError('unknown_prefix', known, type)
      return found.generate() as AnyId<T>
    },
  })
}

function addUnique<Type>(types: Map<string, Type>, prefix: string, type: Type): void {
  if (types.has(prefix)) throw new TypedIdError('duplicate_prefix', 'one type per prefix', prefix)
  types.set(prefix, type)
}

const MAX_LISTED = 8

/** Returns the prefixes for a message: at most 8, because a registry may have hundreds. */
function listPrefixes(prefixes: readonly string[]): string {
  if (prefixes.length === 0) return 'a registered type (there is none)'
  const hidden = prefixes.length - MAX_LISTED
  return prefixes.slice(0, MAX_LISTED).join(', ') + (hidden > 0 ? ` or ${hidden} more` : '')
}

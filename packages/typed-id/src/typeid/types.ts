import type {
  CharactersOf,
  IdDefinition,
  IsWord,
  ShortId,
} from '../core/types.ts'

export type { ShortId as TypeId } from '../core/types.ts'

/**
 * The functions for the TypeIDs of one type. The parameter `Id` makes
 * `TypeIdType<'user'>` assignable to `TypeIdType<string>`.
 */
export interface TypeIdType<P extends string, Id extends string = ShortId<P>>
  extends IdDefinition<P, Id> {}

type PrefixCharacter = CharactersOf<'abcdefghijklmnopqrstuvwxyz_'>

/** `P` if it is a valid prefix of a TypeID, otherwise an error message. */
export type CheckedTypeIdPrefix<P extends string> = string extends P
  ? P
  : P extends `_${string}` | `${string}_`
    ? PrefixRule
    : IsWord<P, PrefixCharacter> extends true
      ? P
      : PrefixRule

type PrefixRule =
  'the prefix of a TypeID is 0 to 63 letters a-z and underscores, the first and the last a letter'

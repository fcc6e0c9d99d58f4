import type { IdDefinition, ShortId } from '../core/types.ts'

export type { ShortId as TypeId } from '../core/types.ts'

/**
 * The functions for the TypeIDs of one type. The parameter `Id` makes
 * `TypeIdType<'user'>` assignable to `TypeIdType<string>`.
 */
export interface TypeIdType<P extends string, Id extends string = ShortId<P>>
  extends IdDefinition<P, Id> {}

// biome-ignore format: one line
type PrefixCharacter =
  | 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm' | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't'
  | 'u' | 'v' | 'w' | 'x' | 'y' | 'z' | '_'

/**
 * `true` if a literal type consists of at most 63 letters and underscores.
 * `Read` has one element for each character already checked.
 */
type IsWord<
  Text extends string,
  Read extends unknown[] = [],
> = Text extends `${infer First}${infer Rest}`
  ? First extends PrefixCharacter
    ? Read['length'] extends 63
      ? false
      : IsWord<Rest, [...Read, unknown]>
    : false
  : true

/** `P` if it is a valid prefix of a TypeID, otherwise an error message. */
export type CheckedTypeIdPrefix<P extends string> = string extends P
  ? P
  : P extends `_${string}` | `${string}_`
    ? PrefixRule
    : IsWord<P> extends true
      ? P
      : PrefixRule

type PrefixRule =
  'the prefix of a TypeID is 0 to 63 letters a-z and underscores, the first and the last a letter'

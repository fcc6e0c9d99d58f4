import type { IdDefinition, ShortId } from '../core/types.ts'

/**
 * A TypeID, such as `user_01j0b3v1mmeedtx9cpdgkfhbch`, has the type of a short
 * id with the same prefix.
 */
export type { ShortId as TypeId } from '../core/types.ts'

/**
 * The functions for the TypeIDs of one type. `Id` is a parameter because
 * otherwise `TypeIdType<'user'>` is not assignable to `TypeIdType<string>`.
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

/**
 * The type of a valid prefix of a TypeID. An invalid literal becomes a
 * sentence, which the compiler prints in its error. The type `string` passes
 * and is checked at run time.
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

import { SUFFIX_PATTERN, UUID_PATTERN } from './text.ts'

export const PREFIX_PATTERN = '[a-zA-Z0-9]{1,63}'

/** What stands behind the prefix in every example. */
export const EXAMPLE = '-0190163d-8694-739b-aea5-966c26f8ad91'

const ID = /* @__PURE__ */ new RegExp(`^(${PREFIX_PATTERN})(?:-${UUID_PATTERN}|_${SUFFIX_PATTERN})$`)

/** The prefix of a well-formed id of any type and in either form, or undefined. */
export function prefixOf(value: unknown): string | undefined {
  return typeof value === 'string' ? ID.exec(value)?.[1] : undefined
}

/** The union of the characters of a literal. */
type CharactersOf<Text extends string, Found = never> = Text extends `${infer First}${infer Rest}`
  ? CharactersOf<Rest, Found | First>
  : Found

type Alphanumeric = CharactersOf<'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'>

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

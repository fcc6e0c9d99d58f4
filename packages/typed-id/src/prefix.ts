import { SUFFIX_PATTERN, UUID_PATTERN } from './text.ts'

const PREFIX_PATTERN = '[a-zA-Z0-9]{1,63}'
const PREFIX = /* @__PURE__ */ new RegExp(`^${PREFIX_PATTERN}$`)
const ID = /* @__PURE__ */ new RegExp(`^(${PREFIX_PATTERN})(?:-${UUID_PATTERN}|_${SUFFIX_PATTERN})$`)

export function isPrefix(value: unknown): boolean {
  return typeof value === 'string' && PREFIX.test(value)
}

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

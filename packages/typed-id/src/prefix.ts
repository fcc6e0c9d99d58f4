import { isSuffix, isUuid, SUFFIX_LENGTH, UUID_LENGTH } from './text.ts'

export function isPrefix(text: string): boolean {
  return /^[a-zA-Z0-9]{1,63}$/.test(text)
}

/** The prefix of a well-formed standard id of any type, or ''. */
export function prefixOfStandard(text: string): string {
  const end = text.length - UUID_LENGTH - 1
  return text[end] === '-' && isUuid(text, end + 1) ? prefixUpTo(text, end) : ''
}

/** The prefix of a well-formed short id of any type, or ''. */
export function prefixOfShort(text: string): string {
  const end = text.length - SUFFIX_LENGTH - 1
  return text[end] === '_' && isSuffix(text, end + 1) ? prefixUpTo(text, end) : ''
}

function prefixUpTo(text: string, end: number): string {
  const prefix = text.slice(0, end)
  return isPrefix(prefix) ? prefix : ''
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

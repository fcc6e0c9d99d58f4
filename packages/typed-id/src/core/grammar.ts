/*
 * The grammar of ids.
 *
 *   standard  <prefix>-<uuid>     uuid: 32 lowercase hexadecimal digits, grouped 8-4-4-4-12
 *   short     <prefix>_<suffix>   suffix: the same 128 bits as 26 lowercase Crockford base32 digits
 *   prefix                        1 to 63 ASCII letters and digits, compared exactly
 *
 * 26 digits of 5 bits hold 130 bits, so a suffix starts with two zero bits: its
 * first digit is 0 to 7. For one prefix, the ids of a form have the same length
 * and sort like the 16 bytes.
 */

// Do not add imports: esbuild inlines constants only of modules without
// imports.
export const UUID_LENGTH = 36
export const SUFFIX_LENGTH = 26

export const startOf = (prefix: string): string => prefix && `${prefix}_`

export const PREFIX_PATTERN = '[a-zA-Z0-9]{1,63}'
export const TYPEID_PREFIX_PATTERN = '[a-z](?:[a-z_]{0,61}[a-z])?'
export const UUID_PATTERN =
  '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
export const SUFFIX_PATTERN = '[0-7][0-9a-hjkmnp-tv-z]{25}'

export const EXAMPLE_UUID = '0190163d-8694-739b-aea5-966c26f8ad91'

export const FIRST_OF_MILLISECOND = '7000-8000-000000000000'
export const LAST_OF_MILLISECOND = '7fff-bfff-ffffffffffff'

// Created when first used, because bundlers keep a regular expression whose
// source is a template string, even in programs that do not use it.
let matcher: RegExp | undefined

export function parsePrefix(value: string): string | undefined {
  matcher ??= new RegExp(
    `^${PREFIX_PATTERN}(?=(-${UUID_PATTERN}|_${SUFFIX_PATTERN})$)`,
  )
  return matcher.exec(value)?.[0]
}

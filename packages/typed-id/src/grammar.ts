/*
 * The grammar of ids.
 *
 *   standard  <prefix>-<uuid>     uuid: 32 lowercase hexadecimal digits, grouped 8-4-4-4-12
 *   short     <prefix>_<suffix>   suffix: the same 128 bits as 26 lowercase Crockford base32 digits
 *   prefix                        1 to 63 ASCII letters and digits, compared exactly
 *
 * 26 digits of 5 bits hold 130 bits, so a suffix starts with two zero bits: its first digit is 0 to 7.
 * Each form has a fixed width, exactly one text per value, and sorts in the order of the 16 bytes.
 */

// Constants of a module without imports: esbuild inlines them.
export const UUID_LENGTH = 36
export const SUFFIX_LENGTH = 26

// Sources of regular expressions, without anchors.
export const PREFIX_PATTERN = '[a-zA-Z0-9]{1,63}'
export const UUID_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
export const SUFFIX_PATTERN = '[0-7][0-9a-hjkmnp-tv-z]{25}'

/** The separator and uuid of every example id. */
export const EXAMPLE = '-0190163d-8694-739b-aea5-966c26f8ad91'

/** Matches the prefix of a well-formed id in either form. */
const PREFIX = /* @__PURE__ */ new RegExp(`^${PREFIX_PATTERN}(?=(-${UUID_PATTERN}|_${SUFFIX_PATTERN})$)`)

/**
 * Returns the prefix of a well-formed id of any type and in either form, and no text for any other value. Skips texts
 * that start with `own`, at a fifth of the time: their prefix is known.
 */
export function parsePrefix(value: unknown, own = '-'): string | false | undefined {
  return typeof value === 'string' && !value.startsWith(own) && PREFIX.exec(value)?.[0]
}

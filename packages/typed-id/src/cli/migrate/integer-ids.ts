/*
 * An integer n becomes the UUID of version 8 (RFC 9562, section 5.8) with n in the last field, which has 62 bits, and
 * zeros in the two other fields.
 */

/** The digits before the last two groups. The first digit after them contains the variant: 8 below 2^60. */
export const FIRST_DIGITS = '00000000-0000-8000-'

export const MAX_INTEGER = 2n ** 62n - 1n

/** How messages write an id that contains an integer. */
export const integerForm = (prefix: string, type = 'integer'): string => `${prefix}-${FIRST_DIGITS}8<${type}>`

import { BASE32_DIGITS } from '../../core/digits.ts'

/** Pairs of a digit of the short form and the digit with the same value in base 32 of CONV, which is 0 to 9 and A to V. */
export const DIGITS = [...BASE32_DIGITS]
  .map((digit, value) => [digit, value.toString(32)])
  .filter(([a, b]) => a !== b)

/** Converts 32 hexadecimal digits in parts of at most 64 bits, which is the limit of CONV. */
export function toBase32(hex: string): string {
  const parts = [1, 3, 13, 23].map((start) => {
    const [from, to] = start === 1 ? [2, 2] : [10, 8]
    return `lpad(conv(substr(${hex}, ${start}, ${from}), 16, 32), ${to}, '0')`
  })
  // Replaces from the highest digit to the lowest, so that no replacement changes the result of an earlier one.
  return replaceAll(
    `lower(concat(${parts.join(', ')}))`,
    DIGITS.map(([digit, conv]) => [conv, digit]).reverse(),
  )
}

/** Converts 26 base32 digits to 32 hexadecimal digits. */
export function fromBase32(suffix: string): string {
  const parts = [1, 3, 11, 19].map((start) => {
    const [from, to] = start === 1 ? [2, 2] : [8, 10]
    return `lpad(conv(substr(${suffix}, ${start}, ${from}), 32, 16), ${to}, '0')`
  })
  return `lower(concat(${parts.join(', ')}))`
}

export const replaceAll = (text: string, pairs: readonly (readonly (string | undefined)[])[]) =>
  pairs.reduce((inner, [from, to]) => `replace(${inner}, '${from}', '${to}')`, text)

/** Inserts the hyphens of a uuid into 32 hexadecimal digits. */
export const groupHex = (hex: string) =>
  `concat_ws('-', left(${hex}, 8), substr(${hex}, 9, 4), substr(${hex}, 13, 4), substr(${hex}, 17, 4), right(${hex}, 12))`

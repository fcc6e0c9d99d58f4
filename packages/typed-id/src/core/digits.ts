// biome-ignore-all lint/style/noNonNullAssertion: every index is a masked digit

/*
 * The digits of standard and short ids. `VALUES` maps every other character to
 * a value greater than all digits. The bitwise OR of four values is therefore
 * at most 15 only if all four characters are hexadecimal digits.
 */

/** The digits of a suffix. The first 16 are also the hexadecimal digits. */
export const BASE32_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

// Do not add imports: esbuild inlines constants only of modules without
// imports.
export const HYPHEN = 45
const NO_DIGIT = 64

const CODES = /* @__PURE__ */ Uint8Array.from(BASE32_DIGITS, (digit) =>
  digit.charCodeAt(0),
)

/**
 * Digit values by UTF-16 code unit, `NO_DIGIT` for other characters. A table of
 * 128 entries would need a second check per character: 49 ns for a uuid instead
 * of 36.
 */
export const VALUES = /* @__PURE__ */ createValues()

function createValues(): Uint8Array {
  const values = new Uint8Array(65536).fill(NO_DIGIT)
  CODES.forEach((code, digit) => {
    values[code] = digit
  })
  return values
}

export function hex(bits: number): number {
  return CODES[bits & 15]!
}

export function base32(bits: number): number {
  return CODES[bits & 31]!
}

export function correctLookAlikes(text: string): string {
  return text.toLowerCase().replace(/[il]/g, '1').replaceAll('o', '0')
}

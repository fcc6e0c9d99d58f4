// biome-ignore-all lint/style/noNonNullAssertion: every index is a masked digit

export const BASE32_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

// Do not add imports: esbuild inlines constants only of modules without
// imports.
export const HYPHEN = 45
// A bit that no digit has. The bitwise OR of several values is therefore at
// most 15 (or 31) only if all of them are hexadecimal (or base32) digits.
const NO_DIGIT = 64

const CODES = /* @__PURE__ */ Uint8Array.from(BASE32_DIGITS, (digit) =>
  digit.charCodeAt(0),
)

/**
 * The value of each UTF-16 code unit as a digit. With only 128 entries, each
 * character would need a second check: 49 ns for a uuid instead of 36 ns.
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

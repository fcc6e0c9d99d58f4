/*
 * The grammar, and every conversion that has to be fast.
 *
 *   standard  <prefix>-<uuid>     uuid: 32 lowercase hexadecimal digits, grouped 8-4-4-4-12
 *   short     <prefix>_<suffix>   suffix: the same 128 bits as 26 lowercase Crockford base32 digits
 *   prefix                        1 to 63 ASCII letters and digits, compared exactly
 *
 * 26 digits of 5 bits hold 130 bits, so a suffix starts with two zero bits: its first digit is 0 to 7.
 * Both forms are fixed in width, have exactly one text per value, and sort as their 16 bytes do.
 *
 * Every function takes the whole text and the place where the uuid or suffix starts, so that nothing is cut
 * out first, and refuses a text that does not end with it.
 */

export const UUID_LENGTH = 36
export const SUFFIX_LENGTH = 26

/** Sources of regular expressions for what follows the separator. */
export const UUID_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
export const SUFFIX_PATTERN = '[0-7][0-9a-hjkmnp-tv-z]{25}'

const HEX_DIGITS = '0123456789abcdef'
const BASE32_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Digit values by UTF-16 code unit, -1 for everything else. A table of all 65,536 units cannot be read out of
 * bounds, and one -1 keeps the sign of any OR of shifted digits: a single comparison checks a whole text.
 */
const HEX = /* @__PURE__ */ digitValues(HEX_DIGITS)
const BASE32 = /* @__PURE__ */ digitValues(BASE32_DIGITS)

/** Code units by digit value. */
const HEX_CODES = /* @__PURE__ */ codesOf(HEX_DIGITS)

const HYPHEN = 45

export function isUuid(text: string, start: number): boolean {
  if (!isGrouped(text, start)) return false
  let digits = 0
  for (let i = 0; i < 36; i++) {
    if (i !== 8 && i !== 13 && i !== 18 && i !== 23) digits |= HEX[text.charCodeAt(start + i)] as number
  }
  return digits >= 0
}

export function isSuffix(text: string, start: number): boolean {
  if (text.length !== start + SUFFIX_LENGTH || text.charCodeAt(start) > 55) return false
  let digits = 0
  for (let i = 0; i < 26; i++) digits |= BASE32[text.charCodeAt(start + i)] as number
  return digits >= 0
}

/** The suffix for the uuid at `start`, or '' when that is not a uuid. */
export function suffixOfUuid(text: string, start: number): string {
  const bytes = bytesOfUuid(text, start)
  if (!bytes) return ''
  let bits = 0
  let pending = 2
  let suffix = ''
  for (const byte of bytes) {
    bits = (bits << 8) | byte
    for (pending += 8; pending >= 5; pending -= 5) {
      suffix += BASE32_DIGITS[(bits >> (pending - 5)) & 31]
    }
    bits &= 31
  }
  return suffix
}

/** The uuid for the suffix at `start`, or '' when that is not a suffix. */
export function uuidOfSuffix(text: string, start: number): string {
  if (!isSuffix(text, start)) return ''
  const bytes = new Uint8Array(16)
  let bits = 0
  let pending = -2
  let next = 0
  for (let i = 0; i < 26; i++) {
    bits = ((bits << 5) | (BASE32[text.charCodeAt(start + i)] as number)) & 0xfff
    pending += 5
    if (pending >= 8) {
      pending -= 8
      bytes[next++] = bits >> pending
    }
  }
  return uuidOfBytes(bytes)
}

/** The 16 bytes of the uuid at `start`, or undefined when that is not a uuid. */
export function bytesOfUuid(text: string, start: number): Uint8Array | undefined {
  if (!isUuid(text, start)) return undefined
  const bytes = new Uint8Array(16)
  for (let i = 0, at = start; i < 16; i++, at += 2) {
    if (text.charCodeAt(at) === HYPHEN) at++
    bytes[i] = (digit(text, at) << 4) | digit(text, at + 1)
  }
  return bytes
}

export function uuidOfBytes(bytes: ArrayLike<number>): string {
  let uuid = ''
  for (let i = 0; i < 16; i++) {
    const byte = bytes[i] as number
    uuid += HEX_DIGITS.charAt((byte >> 4) & 15) + HEX_DIGITS.charAt(byte & 15)
    if (i === 3 || i === 5 || i === 7 || i === 9) uuid += '-'
  }
  return uuid
}

/** Milliseconds since 1970 in the version 7 uuid at `start`; -1 for a uuid of any other version or variant. */
export function timeOfUuid(text: string, start: number): number {
  if (text.charCodeAt(start + 14) !== 55 || digit(text, start + 19) >> 2 !== 2) return -1
  return Number.parseInt(text.slice(start, start + 8) + text.slice(start + 9, start + 13), 16)
}

/** First 15 characters of a version 7 uuid: the 48 bits of `ms`, and the version. */
export function uuid7Head(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7`
}

/** The other 21 characters: a 26-bit counter around the variant, then three 16-bit words. */
export function uuid7Tail(counter: number, a: number, b: number, c: number): string {
  return String.fromCharCode(
    HEX_CODES[counter >> 22] as number,
    HEX_CODES[(counter >> 18) & 15] as number,
    HEX_CODES[(counter >> 14) & 15] as number,
    HYPHEN,
    HEX_CODES[8 | ((counter >> 12) & 3)] as number,
    HEX_CODES[(counter >> 8) & 15] as number,
    HEX_CODES[(counter >> 4) & 15] as number,
    HEX_CODES[counter & 15] as number,
    HYPHEN,
    HEX_CODES[a >> 12] as number,
    HEX_CODES[(a >> 8) & 15] as number,
    HEX_CODES[(a >> 4) & 15] as number,
    HEX_CODES[a & 15] as number,
    HEX_CODES[b >> 12] as number,
    HEX_CODES[(b >> 8) & 15] as number,
    HEX_CODES[(b >> 4) & 15] as number,
    HEX_CODES[b & 15] as number,
    HEX_CODES[c >> 12] as number,
    HEX_CODES[(c >> 8) & 15] as number,
    HEX_CODES[(c >> 4) & 15] as number,
    HEX_CODES[c & 15] as number,
  )
}

function isGrouped(text: string, start: number): boolean {
  return (
    text.length === start + UUID_LENGTH &&
    text.charCodeAt(start + 8) === HYPHEN &&
    text.charCodeAt(start + 13) === HYPHEN &&
    text.charCodeAt(start + 18) === HYPHEN &&
    text.charCodeAt(start + 23) === HYPHEN
  )
}

function digit(text: string, at: number): number {
  return HEX[text.charCodeAt(at)] as number
}

function digitValues(alphabet: string): Int8Array {
  const values = new Int8Array(65536).fill(-1)
  for (let i = 0; i < alphabet.length; i++) values[alphabet.charCodeAt(i)] = i
  return values
}

function codesOf(alphabet: string): Uint8Array {
  return Uint8Array.from(alphabet, (character) => character.charCodeAt(0))
}

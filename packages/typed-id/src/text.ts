// biome-ignore-all lint/style/noNonNullAssertion: every index is a code unit, a masked digit or a literal

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
 * Every function takes a whole text and the place in it where the uuid or suffix starts, so that nothing has
 * to be cut out first, and refuses a text that does not end where the uuid or suffix does.
 *
 * Digits are read four at a time: a quad. A character that is no digit has the value -1, which keeps its sign
 * through every shift and OR, so a quad, or an OR of quads, is negative exactly if something in it is wrong.
 * Texts are written by one call of String.fromCharCode, at about a nanosecond a character.
 *
 * `pnpm bench` measures this file on Node 24, and `pnpm agree` holds it against its obvious twin, test/twin.ts.
 */

export const UUID_LENGTH = 36
export const SUFFIX_LENGTH = 26

/** Sources of regular expressions for what follows the separator. */
export const UUID_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
export const SUFFIX_PATTERN = '[0-7][0-9a-hjkmnp-tv-z]{25}'

const HEX_DIGITS = '0123456789abcdef'
const BASE32_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const HYPHEN = 45

/**
 * Digit values by UTF-16 code unit. With all 65,536 of them nothing can be read out of bounds; a table of 128
 * entries needs a mask and a second check for each character, and takes 49 ns instead of 36 for one uuid.
 */
const HEX = /* @__PURE__ */ valuesByCode(HEX_DIGITS)
const BASE32 = /* @__PURE__ */ valuesByCode(BASE32_DIGITS)

/** UTF-16 code units by digit value. */
const HEX_CODES = /* @__PURE__ */ codesByValue(HEX_DIGITS)
const BASE32_CODES = /* @__PURE__ */ codesByValue(BASE32_DIGITS)

/**
 * The 128 bits that were read last, as 8 words of 16. A reader leaves them for a writer within one call of the
 * functions below, so nothing can come between; 16 bytes of their own would cost each call 216 bytes and some 20 ns.
 */
const words = /* @__PURE__ */ new Int32Array(8)

export function isUuid(text: string, start: number): boolean {
  if (text.length !== start + 36) return false
  // Counted from the end, since V8 knows that a length minus 36 cannot overflow: a fifth faster than `start`.
  // Written out, since V8 inlines helpers only up to a budget, which the caller may have used up: 35 ns, not 80.
  const at = text.length - 36
  // biome-ignore format: a line for four digits
  return (
    (HEX[text.charCodeAt(at)]! | HEX[text.charCodeAt(at + 1)]! | HEX[text.charCodeAt(at + 2)]! | HEX[text.charCodeAt(at + 3)]!) >= 0 &&
    (HEX[text.charCodeAt(at + 4)]! | HEX[text.charCodeAt(at + 5)]! | HEX[text.charCodeAt(at + 6)]! | HEX[text.charCodeAt(at + 7)]!) >= 0 &&
    (HEX[text.charCodeAt(at + 9)]! | HEX[text.charCodeAt(at + 10)]! | HEX[text.charCodeAt(at + 11)]! | HEX[text.charCodeAt(at + 12)]!) >= 0 &&
    (HEX[text.charCodeAt(at + 14)]! | HEX[text.charCodeAt(at + 15)]! | HEX[text.charCodeAt(at + 16)]! | HEX[text.charCodeAt(at + 17)]!) >= 0 &&
    (HEX[text.charCodeAt(at + 19)]! | HEX[text.charCodeAt(at + 20)]! | HEX[text.charCodeAt(at + 21)]! | HEX[text.charCodeAt(at + 22)]!) >= 0 &&
    (HEX[text.charCodeAt(at + 24)]! | HEX[text.charCodeAt(at + 25)]! | HEX[text.charCodeAt(at + 26)]! | HEX[text.charCodeAt(at + 27)]!) >= 0 &&
    (HEX[text.charCodeAt(at + 28)]! | HEX[text.charCodeAt(at + 29)]! | HEX[text.charCodeAt(at + 30)]! | HEX[text.charCodeAt(at + 31)]!) >= 0 &&
    (HEX[text.charCodeAt(at + 32)]! | HEX[text.charCodeAt(at + 33)]! | HEX[text.charCodeAt(at + 34)]! | HEX[text.charCodeAt(at + 35)]!) >= 0 &&
    isGrouped(text, at)
  )
}

export function isSuffix(text: string, start: number): boolean {
  return readSuffix(text, start)
}

/** The suffix for the uuid at `start`, or '' when there is none. */
export function suffixOfUuid(text: string, start: number): string {
  return readUuid(text, start) ? writeSuffix() : ''
}

/** The uuid for the suffix at `start`, or '' when there is none. */
export function uuidOfSuffix(text: string, start: number): string {
  return readSuffix(text, start) ? writeUuid() : ''
}

/** The 16 bytes of the uuid at `start`, or undefined when there is none. */
export function bytesOfUuid(text: string, start: number): Uint8Array | undefined {
  if (!readUuid(text, start)) return undefined
  const bytes = new Uint8Array(16)
  for (let i = 0; i < 8; i++) {
    bytes[2 * i] = words[i]! >> 8
    bytes[2 * i + 1] = words[i]!
  }
  return bytes
}

/** The uuid for 16 bytes. */
export function uuidOfBytes(bytes: Uint8Array): string {
  for (let i = 0; i < 8; i++) words[i] = (bytes[2 * i]! << 8) | bytes[2 * i + 1]!
  return writeUuid()
}

/** Milliseconds since 1970 in the uuid at `start`: -1 for another version than 7, NaN when there is none. */
export function timeOfUuid(text: string, start: number): number {
  if (!readUuid(text, start)) return Number.NaN
  const [version, variant] = [words[3]! >> 12, words[4]! >> 14]
  return version === 7 && variant === 2 ? words[0]! * 2 ** 32 + words[1]! * 2 ** 16 + words[2]! : -1
}

/** The first 20 characters of a version 7 uuid: 48 bits of milliseconds, and the upper 14 of a 26-bit counter. */
export function uuid7Stem(ms: number, count: number): string {
  words[0] = ms / 2 ** 32
  words[1] = ms >>> 16
  words[2] = ms >>> 0
  words[3] = 0x7000 | (count >> 14)
  words[4] = 0x8000 | (count & 0x3fff)
  return writeUuid().slice(0, 20)
}

/** The other 16: the lower 12 bits of the counter, and three random words of 16 bits. */
export function uuid7Tail(count: number, a: number, b: number, c: number): string {
  // biome-ignore format: a line for each word
  return String.fromCharCode(
    hex(count >> 8), hex(count >> 4), hex(count), HYPHEN,
    hex(a >> 12), hex(a >> 8), hex(a >> 4), hex(a),
    hex(b >> 12), hex(b >> 8), hex(b >> 4), hex(b),
    hex(c >> 12), hex(c >> 8), hex(c >> 4), hex(c),
  )
}

function readUuid(text: string, start: number): boolean {
  if (text.length !== start + 36) return false
  const at = text.length - 36
  const a = hexQuad(text, at)
  const b = hexQuad(text, at + 4)
  const c = hexQuad(text, at + 9)
  const d = hexQuad(text, at + 14)
  const e = hexQuad(text, at + 19)
  const f = hexQuad(text, at + 24)
  const g = hexQuad(text, at + 28)
  const h = hexQuad(text, at + 32)
  words[0] = a
  words[1] = b
  words[2] = c
  words[3] = d
  words[4] = e
  words[5] = f
  words[6] = g
  words[7] = h
  return (a | b | c | d | e | f | g | h) >= 0 && isGrouped(text, at)
}

/** 8 bits and six times 20 are eight times 16; writers ignore what is above 16 bits. */
function readSuffix(text: string, start: number): boolean {
  if (text.length !== start + 26) return false
  const at = text.length - 26
  const first = BASE32[text.charCodeAt(at)]!
  const a = (first << 5) | BASE32[text.charCodeAt(at + 1)]!
  const b = base32Quad(text, at + 2)
  const c = base32Quad(text, at + 6)
  const d = base32Quad(text, at + 10)
  const e = base32Quad(text, at + 14)
  const f = base32Quad(text, at + 18)
  const g = base32Quad(text, at + 22)
  words[0] = (a << 8) | (b >> 12)
  words[1] = (b << 4) | (c >> 16)
  words[2] = c
  words[3] = d >> 4
  words[4] = (d << 12) | (e >> 8)
  words[5] = (e << 8) | (f >> 12)
  words[6] = (f << 4) | (g >> 16)
  words[7] = g
  return (a | b | c | d | e | f | g) >= 0 && first <= 7
}

function writeUuid(): string {
  const a = words[0]!
  const b = words[1]!
  const c = words[2]!
  const d = words[3]!
  const e = words[4]!
  const f = words[5]!
  const g = words[6]!
  const h = words[7]!
  // biome-ignore format: a line for each word
  return String.fromCharCode(
    hex(a >> 12), hex(a >> 8), hex(a >> 4), hex(a),
    hex(b >> 12), hex(b >> 8), hex(b >> 4), hex(b), HYPHEN,
    hex(c >> 12), hex(c >> 8), hex(c >> 4), hex(c), HYPHEN,
    hex(d >> 12), hex(d >> 8), hex(d >> 4), hex(d), HYPHEN,
    hex(e >> 12), hex(e >> 8), hex(e >> 4), hex(e), HYPHEN,
    hex(f >> 12), hex(f >> 8), hex(f >> 4), hex(f),
    hex(g >> 12), hex(g >> 8), hex(g >> 4), hex(g),
    hex(h >> 12), hex(h >> 8), hex(h >> 4), hex(h),
  )
}

function writeSuffix(): string {
  const a = words[0]!
  const b = words[1]!
  const c = words[2]!
  const d = words[3]!
  const e = words[4]!
  const f = words[5]!
  const g = words[6]!
  const h = words[7]!
  // biome-ignore format: a line for each word, whose last bits go with the first ones of the next
  return String.fromCharCode(
    base32(a >> 13), base32(a >> 8), base32(a >> 3), base32((a << 2) | (b >> 14)),
    base32(b >> 9), base32(b >> 4), base32((b << 1) | (c >> 15)),
    base32(c >> 10), base32(c >> 5), base32(c),
    base32(d >> 11), base32(d >> 6), base32(d >> 1), base32((d << 4) | (e >> 12)),
    base32(e >> 7), base32(e >> 2), base32((e << 3) | (f >> 13)),
    base32(f >> 8), base32(f >> 3), base32((f << 2) | (g >> 14)),
    base32(g >> 9), base32(g >> 4), base32((g << 1) | (h >> 15)),
    base32(h >> 10), base32(h >> 5), base32(h),
  )
}

function isGrouped(text: string, at: number): boolean {
  return (
    text.charCodeAt(at + 8) === HYPHEN &&
    text.charCodeAt(at + 13) === HYPHEN &&
    text.charCodeAt(at + 18) === HYPHEN &&
    text.charCodeAt(at + 23) === HYPHEN
  )
}

/** The 4 hexadecimal digits at a place: 16 bits, or negative when one is no digit. */
function hexQuad(text: string, at: number): number {
  return (
    (HEX[text.charCodeAt(at)]! << 12) |
    (HEX[text.charCodeAt(at + 1)]! << 8) |
    (HEX[text.charCodeAt(at + 2)]! << 4) |
    HEX[text.charCodeAt(at + 3)]!
  )
}

/** The 4 base32 digits at a place: 20 bits, or negative when one is no digit. */
function base32Quad(text: string, at: number): number {
  return (
    (BASE32[text.charCodeAt(at)]! << 15) |
    (BASE32[text.charCodeAt(at + 1)]! << 10) |
    (BASE32[text.charCodeAt(at + 2)]! << 5) |
    BASE32[text.charCodeAt(at + 3)]!
  )
}

/** The code unit of the digit for the lowest 4 bits. */
function hex(bits: number): number {
  return HEX_CODES[bits & 15]!
}

/** The code unit of the digit for the lowest 5 bits. */
function base32(bits: number): number {
  return BASE32_CODES[bits & 31]!
}

function valuesByCode(digits: string): Int8Array {
  const values = new Int8Array(65536).fill(-1)
  for (let i = 0; i < digits.length; i++) values[digits.charCodeAt(i)] = i
  return values
}

function codesByValue(digits: string): Uint8Array {
  return Uint8Array.from(digits, (digit) => digit.charCodeAt(0))
}

// biome-ignore-all lint/style/noNonNullAssertion: every index is a code unit or inside an array

/*
 * The conversions that have to be fast, between the forms that grammar.ts describes.
 *
 * The functions that read an id take the whole string and its expected start (prefix and separator, such as `user-`),
 * so callers do not have to slice the string first. They accept a string only if the uuid or suffix fills the rest of
 * it. Strings are built by String.fromCharCode, at about 1 ns per character.
 *
 * `pnpm bench` measures this file on Node 24. `pnpm --filter typed-id run fuzz` compares it with a simple
 * reference implementation, test/reference.ts.
 */

import { base32, HYPHEN, hex, VALUES } from './digits.ts'
import { SUFFIX_LENGTH, UUID_LENGTH } from './grammar.ts'

/**
 * The 128 bits of the id that is being converted, as 8 words of 16 bits. Each exported function fills and reads them
 * within one call. One shared array is used because allocating 16 bytes per call takes 216 bytes of memory and 20 ns.
 */
export const words = /* @__PURE__ */ new Uint16Array(8)

/** Returns whether the value is the start followed by a uuid. */
export function isUuid(value: unknown, start: string): value is string {
  if (!hasShape(value, start, UUID_LENGTH)) return false
  // A loop, because 36 unrolled checks took 1.65 µs of processor time in a service under load, and the loop 0.49 µs.
  let at = value.length - UUID_LENGTH // V8 knows that a length minus 36 cannot overflow
  for (let word = 0; word < 8; word++) {
    if (word > 1 && word < 6 && value.charCodeAt(at++) !== HYPHEN) return false
    // biome-ignore format: a line for four digits
    if ((VALUES[value.charCodeAt(at)]! | VALUES[value.charCodeAt(at + 1)]! | VALUES[value.charCodeAt(at + 2)]! | VALUES[value.charCodeAt(at + 3)]!) > 15) return false
    at += 4
  }
  return true
}

/**
 * Reads the uuid of a standard id into `words`. Calls `reject`, which throws, if the id is malformed. Not part of `isUuid`,
 * because `is` and `parse` would take 10 % longer.
 */
export function readUuid(id: unknown, start: string, reject: (id: unknown) => never): void {
  if (!hasShape(id, start, UUID_LENGTH)) reject(id)
  let at = id.length - UUID_LENGTH
  let all = 0
  for (let word = 0; word < 8; word++) {
    if (word > 1 && word < 6 && id.charCodeAt(at++) !== HYPHEN) reject(id)
    const a = VALUES[id.charCodeAt(at)]!
    const b = VALUES[id.charCodeAt(at + 1)]!
    const c = VALUES[id.charCodeAt(at + 2)]!
    const d = VALUES[id.charCodeAt(at + 3)]!
    all |= a | b | c | d
    words[word] = (a << 12) | (b << 8) | (c << 4) | d
    at += 4
  }
  if (all > 15) reject(id)
}

/** Returns whether the value is the start followed by a suffix. If it is, `words` holds its 128 bits. */
export function isSuffix(value: unknown, start: string): value is string {
  if (!hasShape(value, start, SUFFIX_LENGTH)) return false
  const first = value.length - SUFFIX_LENGTH
  if (VALUES[value.charCodeAt(first)]! > 7) return false // more than 128 bits
  let bits = 0
  for (let i = 0; i < SUFFIX_LENGTH; i++) {
    const digit = VALUES[value.charCodeAt(first + i)]!
    if (digit > 31) return false
    bits = (bits << 5) | digit
    // Writes an incomplete word several times: the digit that completes it writes it last.
    words[((5 * i - 2) >> 4) & 7] = bits >> ((5 * i + 3) & 15)
  }
  return true
}

/** Returns the suffix for the bits in `words`. */
function writeSuffix(): string {
  // biome-ignore format: a line for the digits that end in each word
  return String.fromCharCode(
    base32(words[0]! >> 13), base32(words[0]! >> 8), base32(words[0]! >> 3),
    base32((words[0]! << 2) | (words[1]! >> 14)), base32(words[1]! >> 9), base32(words[1]! >> 4),
    base32((words[1]! << 1) | (words[2]! >> 15)), base32(words[2]! >> 10), base32(words[2]! >> 5), base32(words[2]!),
    base32(words[3]! >> 11), base32(words[3]! >> 6), base32(words[3]! >> 1),
    base32((words[3]! << 4) | (words[4]! >> 12)), base32(words[4]! >> 7), base32(words[4]! >> 2),
    base32((words[4]! << 3) | (words[5]! >> 13)), base32(words[5]! >> 8), base32(words[5]! >> 3),
    base32((words[5]! << 2) | (words[6]! >> 14)), base32(words[6]! >> 9), base32(words[6]! >> 4),
    base32((words[6]! << 1) | (words[7]! >> 15)), base32(words[7]! >> 10), base32(words[7]! >> 5), base32(words[7]!),
  )
}

/** Returns the uuid in `words`. */
export function writeUuid(): string {
  return writeUuidStart() + writeUuidEnd(words[4]!, words, 5)
}

/** Returns the first 20 characters of the uuid in `words`. */
function writeUuidStart(): string {
  // biome-ignore format: a line for each word
  return String.fromCharCode(
    hex(words[0]! >> 12), hex(words[0]! >> 8), hex(words[0]! >> 4), hex(words[0]!),
    hex(words[1]! >> 12), hex(words[1]! >> 8), hex(words[1]! >> 4), hex(words[1]!),
    HYPHEN,
    hex(words[2]! >> 12), hex(words[2]! >> 8), hex(words[2]! >> 4), hex(words[2]!),
    HYPHEN,
    hex(words[3]! >> 12), hex(words[3]! >> 8), hex(words[3]! >> 4), hex(words[3]!),
    HYPHEN,
    hex(words[4]! >> 12),
  )
}

/** Returns the last 16 characters of a uuid: the lower 12 bits of `bits`, then three of `words` from `index` on. */
export function writeUuidEnd(bits: number, words: Uint16Array, index: number): string {
  const f = words[index]!
  const g = words[index + 1]!
  const h = words[index + 2]!
  // biome-ignore format: a line for each word
  return String.fromCharCode(
    hex(bits >> 8), hex(bits >> 4), hex(bits),
    HYPHEN,
    hex(f >> 12), hex(f >> 8), hex(f >> 4), hex(f),
    hex(g >> 12), hex(g >> 8), hex(g >> 4), hex(g),
    hex(h >> 12), hex(h >> 8), hex(h >> 4), hex(h),
  )
}

/** Returns the standard form of a short id, or undefined if the short id is malformed. */
export function shortToStandard(short: unknown, shortStart: string, start: string): string | undefined {
  return isSuffix(short, shortStart) ? start + writeUuid() : undefined
}

/**
 * Returns the standard id for 16 bytes, or undefined for any value that is not a Uint8Array of 16 bytes. The check
 * accepts arrays of another realm, such as an iframe, which `instanceof` does not, and calls no trap of a Proxy.
 */
export function bytesToStandard(bytes: Uint8Array, start: string): string | undefined {
  if (!ArrayBuffer.isView(bytes) || bytes.byteLength !== 16 || bytes[Symbol.toStringTag] !== 'Uint8Array')
    return undefined
  for (let i = 0; i < 8; i++) words[i] = (bytes[2 * i]! << 8) | bytes[2 * i + 1]!
  return start + writeUuid()
}

/** Returns the suffix of the short form of a standard id. */
export function standardToSuffix(id: unknown, start: string, reject: (id: unknown) => never): string {
  readUuid(id, start, reject)
  return writeSuffix()
}

/** Returns the 16 bytes of a standard id. */
export function standardToBytes(id: unknown, start: string, reject: (id: unknown) => never): Uint8Array {
  readUuid(id, start, reject)
  const bytes = new Uint8Array(16)
  for (let i = 0; i < 8; i++) {
    bytes[2 * i] = words[i]! >> 8
    bytes[2 * i + 1] = words[i]!
  }
  return bytes
}

/** Returns the time in a standard id, or undefined if its uuid is not of version 7. */
export function standardToTime(id: unknown, start: string, reject: (id: unknown) => never): Date | undefined {
  readUuid(id, start, reject)
  return words[3]! >> 12 === 7 && words[4]! >> 14 === 2
    ? new Date(words[0]! * 2 ** 32 + words[1]! * 2 ** 16 + words[2]!)
    : undefined
}

/**
 * Returns the first 20 characters of a version 7 uuid: 48 bits of milliseconds and the upper 14 bits of a 26-bit
 * counter.
 */
export function writeUuid7Start(ms: number, counter: number): string {
  words[0] = ms / 2 ** 32
  words[1] = ms / 2 ** 16
  words[2] = ms
  words[3] = 0x7000 | (counter >> 14)
  words[4] = 0x8000 | (counter & 0x3fff)
  return writeUuidStart()
}

/** Returns whether the value is a string with the expected start and `length` more characters. */
function hasShape(value: unknown, start: string, length: number): value is string {
  return typeof value === 'string' && value.length === start.length + length && value.startsWith(start)
}

// biome-ignore-all lint/style/noNonNullAssertion: every index is a code unit or inside an array

import { base32, HYPHEN, hex, VALUES } from './digits.ts'
import { SUFFIX_LENGTH, UUID_LENGTH } from './grammar.ts'

/**
 * The 128 bits of the id that is being converted, as 8 words of 16 bits. An
 * array per call would take 216 bytes of memory and 20 ns.
 */
export const words = /* @__PURE__ */ new Uint16Array(8)

/**
 * Returns whether the value is `start`, such as `user-`, followed by a uuid.
 * Checks the characters in a loop, which takes 0.49 µs in a service under load.
 * 36 checks without a loop take 1.65 µs.
 */
export function isUuid(value: unknown, start: string): value is string {
  if (!hasShape(value, start, UUID_LENGTH)) return false
  let at = value.length - UUID_LENGTH
  for (let word = 0; word < 8; word++) {
    if (word > 1 && word < 6 && value.charCodeAt(at++) !== HYPHEN) return false
    const a = VALUES[value.charCodeAt(at)]!
    const b = VALUES[value.charCodeAt(at + 1)]!
    const c = VALUES[value.charCodeAt(at + 2)]!
    const d = VALUES[value.charCodeAt(at + 3)]!
    if ((a | b | c | d) > 15) return false
    at += 4
  }
  return true
}

/**
 * Checks a value as `isUuid` does, and stores the 128 bits of the uuid in the
 * array `words`. `parse` needs no bits, and is 10 % faster with `isUuid`.
 */
export function readUuid(value: unknown, start: string): boolean {
  if (!hasShape(value, start, UUID_LENGTH)) return false
  let at = value.length - UUID_LENGTH
  for (let word = 0; word < 8; word++) {
    if (word > 1 && word < 6 && value.charCodeAt(at++) !== HYPHEN) return false
    const a = VALUES[value.charCodeAt(at)]!
    const b = VALUES[value.charCodeAt(at + 1)]!
    const c = VALUES[value.charCodeAt(at + 2)]!
    const d = VALUES[value.charCodeAt(at + 3)]!
    if ((a | b | c | d) > 15) return false
    words[word] = (a << 12) | (b << 8) | (c << 4) | d
    at += 4
  }
  return true
}

export function readSuffix(value: unknown, start: string): value is string {
  if (!hasShape(value, start, SUFFIX_LENGTH)) return false
  let at = value.length - SUFFIX_LENGTH
  if (VALUES[value.charCodeAt(at)]! > 7) return false
  let bits = 0
  for (let i = 0; i < SUFFIX_LENGTH; i += 2) {
    const a = VALUES[value.charCodeAt(at)]!
    const b = VALUES[value.charCodeAt(at + 1)]!
    if ((a | b) > 31) return false
    bits = (bits << 10) | (a << 5) | b
    // Until all 16 bits of a word are read, this stores an incomplete value. The
    // next iteration then stores the same word again.
    words[((5 * i - 2) >> 4) & 7] = bits >> ((5 * i + 8) & 15)
    at += 2
  }
  return true
}

/**
 * Calls `fromCharCode` only once, because two calls and a concatenation take
 * 8 ns more.
 */
export function writeUuid(): string {
  // biome-ignore format: a line for each word
  return String.fromCharCode(
    hex(words[0]! >> 12), hex(words[0]! >> 8), hex(words[0]! >> 4), hex(words[0]!),
    hex(words[1]! >> 12), hex(words[1]! >> 8), hex(words[1]! >> 4), hex(words[1]!),
    HYPHEN,
    hex(words[2]! >> 12), hex(words[2]! >> 8), hex(words[2]! >> 4), hex(words[2]!),
    HYPHEN,
    hex(words[3]! >> 12), hex(words[3]! >> 8), hex(words[3]! >> 4), hex(words[3]!),
    HYPHEN,
    hex(words[4]! >> 12), hex(words[4]! >> 8), hex(words[4]! >> 4), hex(words[4]!),
    HYPHEN,
    hex(words[5]! >> 12), hex(words[5]! >> 8), hex(words[5]! >> 4), hex(words[5]!),
    hex(words[6]! >> 12), hex(words[6]! >> 8), hex(words[6]! >> 4), hex(words[6]!),
    hex(words[7]! >> 12), hex(words[7]! >> 8), hex(words[7]! >> 4), hex(words[7]!),
  )
}

export function writeSuffix(): string {
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

export function writeUuidEnd(
  bits: number,
  source: Uint16Array,
  index: number,
): string {
  words[5] = source[index]!
  words[6] = source[index + 1]!
  words[7] = source[index + 2]!
  // biome-ignore format: a line for each word
  return String.fromCharCode(
    hex(bits >> 8), hex(bits >> 4), hex(bits),
    HYPHEN,
    hex(words[5]! >> 12), hex(words[5]! >> 8), hex(words[5]! >> 4), hex(words[5]!),
    hex(words[6]! >> 12), hex(words[6]! >> 8), hex(words[6]! >> 4), hex(words[6]!),
    hex(words[7]! >> 12), hex(words[7]! >> 8), hex(words[7]! >> 4), hex(words[7]!),
  )
}

/** Accepts a Uint8Array of an iframe, which `instanceof` would reject. */
export function readBytes(value: Uint8Array): boolean {
  if (
    !ArrayBuffer.isView(value) ||
    value[Symbol.toStringTag] + value.length !== 'Uint8Array16'
  )
    return false
  for (let i = 0; i < 8; i++)
    words[i] = (value[2 * i]! << 8) | value[2 * i + 1]!
  return true
}

export function writeBytes(): Uint8Array {
  const bytes = new Uint8Array(16)
  for (let i = 0; i < 8; i++) {
    bytes[2 * i] = words[i]! >> 8
    bytes[2 * i + 1] = words[i]!
  }
  return bytes
}

export function versionOf(): number | undefined {
  return words[4]! >> 14 === 2 ? words[3]! >> 12 : undefined
}

export function writeTime(): Date | undefined {
  if (versionOf() === 7)
    return new Date(words[0]! * 2 ** 32 + words[1]! * 2 ** 16 + words[2]!)
}

export function writeUuid7Start(ms: number, counter: number): string {
  words[0] = ms / 2 ** 32
  words[1] = ms / 2 ** 16
  words[2] = ms
  words[3] = 0x7000 | (counter >> 14)
  words[4] = 0x8000 | (counter & 0x3fff)
  return writeUuid().slice(0, 20)
}

function hasShape(
  value: unknown,
  start: string,
  length: number,
): value is string {
  return (
    typeof value === 'string' &&
    value.length === start.length + length &&
    value.startsWith(start)
  )
}

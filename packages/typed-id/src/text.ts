// biome-ignore-all lint/style/noNonNullAssertion: every index is a code unit, a masked digit or a literal
// biome-ignore-all lint/suspicious/noAssignInExpressions: lines that are identical compress well

/*
 * The conversions that have to be fast, between the forms that grammar.ts describes.
 *
 * The functions that read an id take the whole text and its expected start (prefix and separator, such as `user-`),
 * so callers do not have to slice the text first. They accept a text only if the uuid or suffix fills the rest of it.
 *
 * Texts are built by String.fromCharCode, at about 1 ns per character. Repeated lines are identical to the letter because
 * they count with `at++`, so gzip shrinks them to almost nothing.
 *
 * `pnpm bench` measures this file on Node 24. `pnpm --filter typed-id run differential` compares it with a simple
 * reference implementation, test/reference.ts.
 */

import { base32, HYPHEN, hex, VALUES } from './digits.ts'
import { SUFFIX_LENGTH, UUID_LENGTH } from './grammar.ts'

/**
 * The 128 bits of the id that is being converted, as 8 words of 16 bits. Each exported function fills and reads them
 * within one call. One shared array is used because allocating 16 bytes per call takes 216 bytes of memory and 20 ns.
 */
const words = /* @__PURE__ */ new Uint16Array(8)

/** Small enough for V8 to inline, so a text with another length or prefix is rejected without a call: 7 ns, not 8. */
export function isUuid(text: unknown, start: string): text is string {
  return hasShape(text, start, UUID_LENGTH) && endsInUuid(text)
}

function endsInUuid(text: string): boolean {
  // The index is computed from the end: V8 knows that a length minus 36 cannot overflow. Measured against 36 unrolled
  // checks, the loop takes 0.91 of the time over 1,000 ids. In a service under load, the check of a path id including
  // zod takes 0.49 µs of processor time instead of 1.65. The unrolled checks are 33 kB of machine code, which may be the
  // cause; the caches of the processor were not measured.
  let at = text.length - UUID_LENGTH
  for (let i = 0; i < 8; i++) {
    if (i > 1 && i < 6 && text.charCodeAt(at++) !== HYPHEN) return false
    // biome-ignore format: a line for four digits
    if ((VALUES[text.charCodeAt(at++)]! | VALUES[text.charCodeAt(at++)]! | VALUES[text.charCodeAt(at++)]! | VALUES[text.charCodeAt(at++)]!) > 15) return false
  }
  return true
}

/** Reads the uuid of a standard id into `words`. Calls `reject`, which throws, if the id is malformed. */
function readUuid(id: unknown, start: string, reject: (id: unknown) => never): void {
  if (!hasShape(id, start, UUID_LENGTH)) reject(id)
  let at = id.length - UUID_LENGTH
  let all = 0
  let bits = 0
  let digit: number
  for (let i = 0; i < 8; i++) {
    if (i > 1 && i < 6 && id.charCodeAt(at++) !== HYPHEN) reject(id)
    all |= digit = VALUES[id.charCodeAt(at++)]!
    bits = (bits << 4) | digit
    all |= digit = VALUES[id.charCodeAt(at++)]!
    bits = (bits << 4) | digit
    all |= digit = VALUES[id.charCodeAt(at++)]!
    bits = (bits << 4) | digit
    all |= digit = VALUES[id.charCodeAt(at++)]!
    bits = (bits << 4) | digit
    words[i] = bits
  }
  if (all < 16) return
  reject(id)
}

/** Returns whether the text is a short id. If it is, `words` holds its 128 bits. */
export function isSuffix(text: unknown, start: string): text is string {
  if (!hasShape(text, start, SUFFIX_LENGTH)) return false
  let at = text.length - SUFFIX_LENGTH
  let bits = 0
  for (let i = 0; i < SUFFIX_LENGTH; i++) {
    const digit = VALUES[text.charCodeAt(at++)]!
    if (digit > (i ? 31 : 7)) return false // a first digit above 7 would make more than 128 bits
    bits = (bits << 5) | digit
    // Writes an incomplete word several times: the digit that completes it writes it last.
    words[((5 * i - 2) >> 4) & 7] = bits >> ((5 * i + 3) & 15)
  }
  return true
}

/** Returns the suffix for the bits in `words`. */
function writeSuffix(): string {
  let i = 0
  let w = words[i++]!
  // `w` holds the current word and, above it, up to 8 unwritten bits of the previous word.
  // biome-ignore format: a line for each word
  return String.fromCharCode(
    base32(w >> 13), base32(w >> 8),
    base32((w = (w << 16) | words[i++]!) >> 19), base32(w >> 14), base32(w >> 9), base32(w >> 4),
    base32((w = (w << 16) | words[i++]!) >> 15), base32(w >> 10), base32(w >> 5), base32(w),
    base32((w = (w << 16) | words[i++]!) >> 11), base32(w >> 6), base32(w >> 1),
    base32((w = (w << 16) | words[i++]!) >> 12), base32(w >> 7), base32(w >> 2),
    base32((w = (w << 16) | words[i++]!) >> 13), base32(w >> 8), base32(w >> 3),
    base32((w = (w << 16) | words[i++]!) >> 14), base32(w >> 9), base32(w >> 4),
    base32((w = (w << 16) | words[i++]!) >> 15), base32(w >> 10), base32(w >> 5), base32(w),
  )
}

/** Returns the first 20 characters of the uuid in `words`. */
function writeUuidStart(): string {
  let i = 0
  let w: number
  // biome-ignore format: a line for each word
  return String.fromCharCode(
    hex((w = words[i++]!) >> 12), hex(w >> 8), hex(w >> 4), hex(w),
    hex((w = words[i++]!) >> 12), hex(w >> 8), hex(w >> 4), hex(w),
    HYPHEN,
    hex((w = words[i++]!) >> 12), hex(w >> 8), hex(w >> 4), hex(w),
    HYPHEN,
    hex((w = words[i++]!) >> 12), hex(w >> 8), hex(w >> 4), hex(w),
    HYPHEN,
    hex((w = words[i++]!) >> 12),
  )
}

/** Returns the last 16 characters of a uuid: the lower 12 bits of `w`, then three words of `words` from index `i`. */
export function writeUuidEnd(w: number, words: Uint16Array, i: number): string {
  // biome-ignore format: a line for each word
  return String.fromCharCode(
    hex(w >> 8), hex(w >> 4), hex(w),
    HYPHEN,
    hex((w = words[i++]!) >> 12), hex(w >> 8), hex(w >> 4), hex(w),
    hex((w = words[i++]!) >> 12), hex(w >> 8), hex(w >> 4), hex(w),
    hex((w = words[i++]!) >> 12), hex(w >> 8), hex(w >> 4), hex(w),
  )
}

/** Returns the standard form of a short id, or false if the short id is malformed. */
export function shortToStandard(short: unknown, shortStart: string, start: string): string | false {
  return isSuffix(short, shortStart) && start + writeUuidStart() + writeUuidEnd(words[4]!, words, 5)
}

/**
 * Returns the standard id for 16 bytes, or false for any value that is not a Uint8Array of 16 bytes. The check accepts
 * arrays of another realm, such as an iframe, which `instanceof` does not, and calls no trap of a Proxy.
 */
export function bytesToStandard(bytes: Uint8Array, start: string): string | false {
  if (!ArrayBuffer.isView(bytes) || bytes.byteLength !== 16 || bytes[Symbol.toStringTag] !== 'Uint8Array')
    return false
  for (let i = 0; i < 8; i++) words[i] = (bytes[2 * i]! << 8) | bytes[2 * i + 1]!
  return start + writeUuidStart() + writeUuidEnd(words[4]!, words, 5)
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

/** Returns whether the value is a text with the expected start and `length` more characters. */
function hasShape(value: unknown, start: string, length: number): value is string {
  return typeof value === 'string' && value.length === start.length + length && value.startsWith(start)
}
